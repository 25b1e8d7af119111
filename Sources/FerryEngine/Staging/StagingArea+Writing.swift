// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning
package import Foundation

extension StagingArea {
  /// Begins a listing; what was staged of the class before is discarded.
  package func begin(_ listing: Listing) throws(SyncError) -> StagedListing {
    let folder = try self.folder(of: listing.className)
    try discard(listing.className)
    try files.makeFolder(folder)
    var line = ManifestLine()
    line.listing = listing
    let bytes = try line.encoded()
    try files.write(bytes, to: folder.appending(path: Self.manifestName))
    var staged = StagedListing(listing, folder: folder)
    staged.append(line, bytes: bytes.count)
    return staged
  }

  /// Begins a segment; a listing that was complete no longer is.
  package func open(_ segment: ListingSegment, of staged: inout StagedListing) throws(SyncError) {
    var line = ManifestLine()
    line.segment = segment
    try append(line, to: &staged)
  }

  /// Keeps a reply: its file first, then its line in the manifest.
  package func add(
    _ reply: Data, records: Int, last: ListingKey, isWalk: Bool, to staged: inout StagedListing
  ) throws(SyncError) {
    let number = staged.lastPage + 1
    let entry = ListingPage(
      number: number, file: StagedPage.fileName(number), bytes: reply.count,
      checksum: Checksum.text(of: reply), records: records, last: last,
      isWalk: isWalk ? true : nil)
    try files.write(reply, to: StagedPage(entry: entry, folder: staged.folder).file)
    var line = ManifestLine()
    line.page = entry
    try append(line, to: &staged)
  }

  /// Enters that the listing has come to its end.
  package func complete(_ staged: inout StagedListing, _ end: ListingEnd) throws(SyncError) {
    var line = ManifestLine()
    line.complete = end
    try append(line, to: &staged)
  }

  /// Removes what is staged of a class: its listing was imported, or will not be.
  ///
  /// The manifest goes first, so that no page is missed that it names.
  package func discard(_ className: String) throws(SyncError) {
    let folder = try self.folder(of: className)
    let names = try files.names(in: folder)
    guard !names.isEmpty || files.exists(folder) else { return }
    try files.remove(folder.appending(path: Self.manifestName))
    for name in names where name.hasPrefix("page-") || name.hasPrefix(Self.manifestName) {
      try files.remove(folder.appending(path: name))
    }
    try files.removeFolder(folder)
  }

  /// Removes the files of pages that were imported, up to the one with that number.
  ///
  /// Their lines stay in the manifest: the listing goes on behind the last of them.
  package func removePages(through number: Int, of staged: StagedListing) throws(SyncError) {
    for page in staged.pages(after: 0).prefix(while: { $0.number <= number })
    where files.exists(page.file) {
      try files.remove(page.file)
    }
  }

  private func append(_ line: ManifestLine, to staged: inout StagedListing) throws(SyncError) {
    let bytes = try line.encoded()
    let manifest = staged.folder.appending(path: Self.manifestName)
    try files.write(bytes, at: staged.manifestLength, of: manifest)
    staged.append(line, bytes: bytes.count)
  }
}
