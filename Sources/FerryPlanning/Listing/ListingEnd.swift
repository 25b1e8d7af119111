// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// What a listing that came to its end tells.
package struct ListingEnd: Codable, Equatable, Sendable {
  /// Up to where it reaches.
  package var cursor: DownloadCursor
  /// Whether the server's count agreed that nothing was left.
  ///
  /// Without that an empty page is all there is to go by, and rows may have been hidden from it.
  package var isCounted: Bool
  /// Whether all rows of the class were listed, not only those changed since an earlier listing.
  package var coversClass: Bool
  /// How many rows the class has, asked together with a listing that turned out empty.
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
