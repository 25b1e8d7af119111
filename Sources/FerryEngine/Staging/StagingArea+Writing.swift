// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning
package import Foundation
import Synchronization

extension StagingArea {
  /// Begins a listing; the class's earlier pages are discarded.
  package func begin(_ listing: Listing) throws(SyncError) -> StagedListing {
    try discard(listing.className)
    return StagedListing(beginning: listing, folder: try folder(of: listing.className))
  }

  /// Stores a reply in its file, and notes its line in the manifest.
  package func add(
    _ reply: Data, records: Int, last: ListingKey, isWalk: Bool, to staged: inout StagedListing
  ) throws(SyncError) {
    if staged.manifestLength == 0 { try files.makeFolder(staged.folder) }
    let number = staged.lastPage + 1
    let entry = ListingPage(
      number: number, file: StagedPage.fileName(number), bytes: reply.count,
      checksum: Checksum.text(of: reply), records: records, last: last,
      isWalk: isWalk ? true : nil)
    try files.write(reply, to: StagedPage(entry: entry, folder: staged.folder).file)
    staged.add(entry)
  }

  /// Writes the lines of the manifest that were noted since it was last saved.
  package func save(_ staged: inout StagedListing) throws(SyncError) {
    guard !staged.unsaved.isEmpty else { return }
    let staysInMemory =
      importsAtOnce && staged.isComplete && staged.lastPage == 0 && staged.manifestLength == 0
    withoutPages.withLock { $0[staged.className] = staysInMemory ? staged : nil }
    guard !staysInMemory else { return }
    if staged.manifestLength == 0 { try files.makeFolder(staged.folder) }
    var text = Data()
    for line in staged.unsaved { text += try line.encoded() }
    let manifest = staged.folder.appending(path: Self.manifestName)
    if staged.manifestLength == 0 {
      try files.write(text, to: manifest)
    } else {
      try files.write(text, at: staged.manifestLength, of: manifest)
    }
    staged.saved(text.count)
    note(staged, text)
  }

  /// A longer manifest is decoded each time: keeping it would copy it for each page of a first sync.
  private static let longestKept = 1 << 14

  /// Keeps a listing beside the text of its manifest, to which these lines were added.
  private func note(_ staged: StagedListing, _ lines: Data) {
    manifests.withLock { manifests in
      let before = staged.manifestLength - lines.count
      let text = before == 0 ? lines : manifests[staged.className].map { $0.text + lines }
      guard let text, text.count == staged.manifestLength, text.count <= Self.longestKept else {
        manifests[staged.className] = nil
        return
      }
      assert(StagedListing(StagingManifest(text), folder: staged.folder) == staged)
      manifests[staged.className] = (text, staged)
    }
  }

  /// Removes the staged pages of a class after their import, or because they will not be imported.
  ///
  /// It removes the manifest first, so that no manifest names a missing page.
  package func discard(_ className: String) throws(SyncError) {
    // A listing without pages has no folder: the engine discarded the one before when the listing began.
    guard withoutPages.withLock({ $0.removeValue(forKey: className) }) == nil else { return }
    let folder = try self.folder(of: className)
    let names = try files.names(in: folder)
    guard !names.isEmpty || files.exists(folder) else { return }
    try files.remove(folder.appending(path: Self.manifestName))
    for name in names
    where name != Self.manifestName
      && (name.hasPrefix("page-") || name.hasPrefix(Self.manifestName))
    {
      try files.remove(folder.appending(path: name))
    }
    try files.removeFolder(folder)
  }

  /// Removes the files of imported pages, behind one number and up to another.
  ///
  /// Their lines stay in the manifest, because the listing continues after the last of them.
  package func removePages(
    after first: Int, through number: Int, of staged: StagedListing
  ) throws(SyncError) {
    for page in staged.pages(after: first).prefix(while: { $0.number <= number })
    where files.exists(page.file) {
      try files.remove(page.file)
    }
  }
}
