// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

extension CompleteListing {
  /// Nil while the listing is incomplete.
  init?(_ staged: StagedListing) {
    guard let end = staged.end else { return nil }
    self.init(
      listingID: staged.listing.id,
      serverTimeLowerBound: staged.segments.last?.serverTimeLowerBound,
      unchangedCount: staged.entries.isEmpty ? end.classCount : nil, isCounted: end.isCounted)
  }
}
