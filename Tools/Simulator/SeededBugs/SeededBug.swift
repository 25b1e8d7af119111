// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel

/// A mistake that a sync engine could make, for tests of the simulator itself: its rules must catch each.
///
/// The engine stays as it is shipped. A mistake sits at one of its ports, where it undoes a mechanism of the
/// engine: in the store, in the requests, in the answers, or in the options.
public enum SeededBug: String, Sendable, CaseIterable {
  /// A listing begins where the last one ended, so that it misses a late commit.
  case noOverlap = "a listing looks no further back than the last one"
  /// A page begins behind the last stamp, not at it.
  case skippedTies = "a page leaves out rows with the stamp of the last row"
  /// The first page counts as the whole listing.
  case onePage = "a listing ends with its first page"
  /// A create whose answer was lost is never found.
  case blindLookup = "a look-up by the client's key finds nothing"
  /// After a crash, nobody knows what was being sent.
  case intentLost = "a crash forgets what was being sent"
  /// The acknowledgement of a write clears edits that were made meanwhile.
  case clearsLaterEdits = "an acknowledgement clears later edits"
  /// A refused operation in a batch counts as carried out.
  case errorsAsSuccess = "an error in a batch counts as success"
  /// An attempt that timed out is forgotten at once.
  case noSettling = "an attempt that timed out counts as never made"
  /// A change in doubt is never looked at again.
  case neverAgain = "a change of unknown outcome is never resolved"
  /// The store forgets which ids its deleted rows had.
  case noTombstones = "deleted rows leave no trace"
  /// The cursor comes from this device's clock.
  case ownClock = "a listing begins at the time of the device's last look"
  /// A value that loses is not kept.
  case noConflictRecords = "lost values are not kept"
  /// The result of a merge is not written.
  case mergeNotWritten = "the result of a merge is not written"

  /// The classes of bugs, as the literature on sync engines numbers them.
  public var kind: String {
    switch self {
    case .noOverlap: "C1 late commit"
    case .skippedTies: "C2 ties"
    case .onePage: "C3 short page"
    case .blindLookup: "C4 lost answer"
    case .intentLost: "C5 crash before the answer"
    case .clearsLaterEdits: "C6 edit while sending"
    case .errorsAsSuccess: "C7 partial batch"
    case .noSettling: "C4 late request"
    case .neverAgain: "C9 never tried again"
    case .noTombstones: "C10 resurrection"
    case .ownClock: "C12 clocks"
    case .noConflictRecords: "I1 lost write"
    case .mergeNotWritten: "C16 state behind its version"
    }
  }

  /// The settings with the mistake.
  func changed(_ settings: WorldSettings) -> WorldSettings {
    var settings = settings
    if self == .noOverlap { settings.sync.overlap = .zero }
    if self == .noSettling { settings.sync.maximumRequestDuration = .zero }
    return settings
  }
}
