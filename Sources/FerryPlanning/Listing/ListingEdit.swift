// Ferry: offline-first sync for Parse Server. MIT licence.

/// A change of a class's staged listing.
package enum ListingEdit: Equatable, Sendable {
  /// Begin a segment, and the listing if there is none.
  case open(ListingSegment)
  /// Keep the response as the next page.
  case keep(PageKind)
  /// Note that the listing is complete.
  case complete(ListingEnd)
  /// Remove the listing and all its pages.
  case discard
}
