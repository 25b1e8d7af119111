// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation

/// What the engine remembers about a class between runs; changed only in the transactions that make it true.
struct ClassState: Codable, Equatable {
  /// What the rows here were listed by: fields, filter, user.
  ///
  /// Another fingerprint starts a listing that applies rows whatever their version.
  var fingerprint: String?
  /// Up to where complete listings are known to reach: the next one begins before it.
  var cursor = DownloadCursor()
  /// The declared fields that the rows here were last listed with.
  var listedFields: Set<String>?
  /// Those of them that no complete listing has brought yet: unknown, which is not absent.
  var unknownFields: Set<String> = []
  /// The declared fields that no record of the listing under import has shown so far.
  var unseenFields: Set<String> = []
  /// The listing whose pages are being imported.
  var importing: ImportProgress?
  /// The last page that was imported, also after its listing was finished: none is imported twice.
  var lastImport: ImportProgress?
  /// Evidence of the last complete listing, until the look for missing records has used it up.
  var completeListing: CompleteListing?
  /// Counts each change of ours that the server acknowledged: pages staged before it are stale.
  var uploadSequence = 0
  /// Whether a complete listing has been imported once.
  var isInitialSyncDone = false
  /// How often in a row the count and a complete listing disagreed; at two the class is scanned in full.
  var countDisagreements = 0
  /// The server refuses to count this class.
  var isCountForbidden = false
  /// What is compared record by record, and when; nil before the first complete import.
  var scan: RollingScan?
  /// Removals here and on the server within the day that began then, for the delete guard.
  var removals = RemovalTally()

  struct ImportProgress: Codable, Equatable {
    var listingID: String
    var lastPage: Int
  }
}

extension ClassState {
  /// Somebody else asks from now on, or elsewhere: what was shown and allowed proves nothing there.
  mutating func forgetProof() {
    completeListing = nil
    countDisagreements = 0
    isCountForbidden = false
  }
}
