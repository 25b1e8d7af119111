// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning

extension ClassState {
  /// The stamp at which the next listing of that scope must begin; nil for the beginning.
  func lowerBound(of scope: ListingScope, overlap: Duration) -> Timestamp? {
    fingerprint == scope.fingerprint ? cursor.lowerBound(overlap: overlap) : nil
  }

  /// The number of the last imported page of a listing; 0 for none.
  func lastImportedPage(of listing: Listing) -> Int {
    lastImport.flatMap { $0.listingID == listing.id ? $0.lastPage : nil } ?? 0
  }

  /// Whether all pages of a listing were imported, through its end.
  func isFinished(_ listing: Listing) -> Bool {
    importing == nil && lastImport?.listingID == listing.id
  }

  /// Whether nothing else was imported or sent of the class since a listing began.
  func isUpToDate(_ listing: Listing) -> Bool {
    guard listing.uploadSequence == uploadSequence else { return false }
    guard let last = lastImport?.listingID else { return true }
    return last == listing.id || last == listing.previousID
  }

  /// Whether staged pages may still be imported.
  ///
  /// The pages must contain all requested fields, must not be older than what was sent or imported since, must
  /// leave no gap after the imported rows, must not be imported already, and their listing must be able to continue.
  func accepts(_ staged: StagedListing, of scope: ListingScope, overlap: Duration) -> Bool {
    let listing = staged.listing
    guard listing.fingerprint == scope.fingerprint, isUpToDate(listing), !isFinished(listing),
      staged.isIntact(after: lastImportedPage(of: listing)), staged.canContinue
    else { return false }
    guard let start = staged.segments.first?.from else { return true }
    return lowerBound(of: scope, overlap: overlap).map { start <= $0 } ?? false
  }
}
