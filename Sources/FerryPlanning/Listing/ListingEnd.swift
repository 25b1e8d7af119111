// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The result of a complete listing.
package struct ListingEnd: Codable, Equatable, Sendable {
  /// The position up to which it reaches.
  package var cursor: DownloadCursor
  /// Whether the server's count agreed that nothing was left.
  ///
  /// Otherwise only an empty page shows the end, and rows may have been hidden.
  package var isCounted: Bool
  /// Whether all rows of the class were listed, not only changed ones.
  package var coversClass: Bool
  /// The number of rows of the class, counted together with an empty listing.
  package var classCount: Int?

  package init(
    cursor: DownloadCursor, isCounted: Bool, coversClass: Bool, classCount: Int? = nil
  ) {
    self.cursor = cursor
    self.isCounted = isCounted
    self.coversClass = coversClass
    self.classCount = classCount
  }
}
