// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning
package import Foundation

/// One reply of the server on disk, as it was received.
package struct StagedPage: Sendable, Equatable {
  package let entry: ListingPage
  package let file: URL

  init(entry: ListingPage, folder: URL) {
    self.entry = entry
    // From the number, not from the manifest's text: nothing that is read becomes a path.
    file = folder.appending(path: Self.fileName(entry.number))
  }

  package var number: Int { entry.number }

  /// The reply's bytes, proven to be those that were received.
  ///
  /// - Returns: The bytes, or the damage where they are not; discard the listing then.
  /// - Throws: `SyncError` where the file cannot be read at all.
  package func contents() throws(SyncError) -> Result<Data, StagedPageDamage> {
    guard let bytes = try StagingFiles().read(file), bytes.count == entry.bytes,
      Checksum.text(of: bytes) == entry.checksum
    else { return .failure(StagedPageDamage(file: file)) }
    return .success(bytes)
  }

  static func fileName(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + ".json"
  }
}
