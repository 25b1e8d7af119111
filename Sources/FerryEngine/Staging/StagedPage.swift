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
  /// - Throws: `StagedPageDamage` where they are not; discard the listing.
  package func contents() throws -> Data {
    guard let bytes = try StagingFiles().read(file), bytes.count == entry.bytes,
      Checksum.text(of: bytes) == entry.checksum
    else { throw StagedPageDamage(file: file) }
    return bytes
  }

  static func fileName(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(6 - digits.count, 0)) + digits + ".json"
  }
}
