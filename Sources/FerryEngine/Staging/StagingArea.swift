// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Synchronization

/// The folder of the server's answers, kept until they are imported.
///
/// ```
/// staging/Game/manifest.jsonl      what is here, one line for each page
/// staging/Game/page-000001.json    an answer, as it was received
/// ```
///
/// The manifest names a page only after its file is in place, so every named page is complete. All lines of
/// one answer are written at once. Only
/// one writer at a time may use a class; reading needs no coordination.
package final class StagingArea: Sendable {
  package let folder: URL
  let files: StagingFiles
  /// The manifests as this object last read or wrote them, so that an unchanged one is not decoded again.
  let manifests = Mutex<[String: (text: Data, listing: StagedListing)]>([:])
  /// Complete listings without pages, which are here and not on disk.
  let withoutPages = Mutex<[String: StagedListing]>([:])
  /// Whether listings without pages are kept in memory: for a run that imports them itself.
  ///
  /// Most listings of most syncs are such. If the run ends before it imports them, the next one asks again.
  let importsAtOnce: Bool
  /// Whether the folder is removed with this object.
  private let isTemporary: Bool

  package convenience init(folder: URL) throws(SyncError) {
    try self.init(folder: folder, files: StagingFiles())
  }

  init(
    folder: URL, files: StagingFiles, importsAtOnce: Bool = false, isTemporary: Bool = false
  ) throws(SyncError) {
    self.folder = folder
    self.files = files
    self.importsAtOnce = importsAtOnce
    self.isTemporary = isTemporary
    try files.makeFolder(folder)
  }

  deinit { discardClone() }

  /// Removes a clone's folder, even if others still use the clone; does nothing to an area that is
  /// not a clone.
  func discardClone() {
    if isTemporary { try? FileManager.default.removeItem(at: folder) }
  }

  /// The listing of a class; nil if there is none.
  package func listing(of className: String) throws(SyncError) -> StagedListing? {
    if let listing = withoutPages.withLock({ $0[className] }) { return listing }
    let folder = try self.folder(of: className)
    guard let text = try files.read(folder.appending(path: Self.manifestName)) else { return nil }
    if let known = manifests.withLock({ $0[className] }), known.text == text {
      return known.listing
    }
    let listing = StagedListing(StagingManifest(text), folder: folder)
    manifests.withLock { $0[className] = listing.map { (text, $0) } }
    return listing
  }

  /// The manifest of a class, usable or not; nil if there is none.
  func manifest(of className: String) throws(SyncError) -> URL? {
    let file = try self.folder(of: className).appending(path: Self.manifestName)
    return files.size(of: file) == nil ? nil : file
  }

  /// The listings of all classes, in the order of their names.
  package func listings() throws(SyncError) -> [StagedListing] {
    var listings: [StagedListing] = []
    for name in try classNames() {
      if let listing = try listing(of: name) { listings.append(listing) }
    }
    return listings
  }

  /// A copy for a dry run, in its own folder, which is removed with the copy or earlier.
  ///
  /// Pages never change once they are in place, so the copy shares their bytes if possible.
  package func clone(
    in parent: URL = FileManager.default.temporaryDirectory
  ) throws(SyncError) -> StagingArea {
    let name = "ferry-staging-\(UUID().uuidString)"
    let clone = try StagingArea(
      folder: parent.appending(path: name), files: files, importsAtOnce: importsAtOnce,
      isTemporary: true)
    for name in try classNames() {
      guard let manifest = try manifest(of: name), let text = try files.read(manifest) else {
        continue
      }
      let target = try clone.folder(of: name)
      try files.makeFolder(target)
      for page in try listing(of: name)?.pages(after: 0) ?? []
      where files.size(of: page.file) != nil {
        try files.link(page.file, to: StagedPage(entry: page.entry, folder: target).file)
      }
      try files.write(text, to: target.appending(path: Self.manifestName))
    }
    try clone.takeAdditionsNote(of: self)
    return clone
  }

  /// The classes that have a folder here, sorted.
  func classNames() throws(SyncError) -> [String] {
    try files.names(in: folder).filter(Self.isClassName)
  }
}

extension StagingArea {
  static let manifestName = "manifest.jsonl"

  func folder(of className: String) throws(SyncError) -> URL {
    guard Self.isClassName(className) else {
      throw SyncError(
        .configuration,
        "\(className.debugDescription) cannot be the name of a class: letters, digits and _ only, at "
          + "most 128. Nothing was downloaded. Correct the name.")
    }
    return folder.appending(path: className, directoryHint: .isDirectory)
  }

  private static func isClassName(_ name: String) -> Bool {
    let rest = name.utf8.drop { $0 == UInt8(ascii: "_") }
    guard name.utf8.count <= 128, let first = rest.first, first.isLetter else { return false }
    return rest.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") }
  }
}

extension UInt8 {
  fileprivate var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
