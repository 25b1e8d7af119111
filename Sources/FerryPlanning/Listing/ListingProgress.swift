// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The staged part of a listing, as earlier runs left it.
package struct ListingProgress: Equatable, Sendable {
  package var segments: [ListingSegment]
  /// The pages of the last segment.
  package var pages: [ListingPage]
  /// The latest stamp on the pages of all segments; nil if there is no page.
  package var newest: Timestamp?
  /// The result of the listing; nil while it is incomplete.
  package var end: ListingEnd?

  package init(
    segments: [ListingSegment] = [], pages: [ListingPage] = [], newest: Timestamp? = nil,
    end: ListingEnd? = nil
  ) {
    self.segments = segments
    self.pages = pages
    self.newest = newest
    self.end = end
  }
}
