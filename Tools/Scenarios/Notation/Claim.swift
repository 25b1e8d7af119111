// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine

/// A statement that a story expects of a sync or a plan.
enum Claim: Sendable, Hashable {
  case outcome(SyncReport.Outcome)
  /// The run is stopped by an error of that code.
  case stops(String)
  case requests(atMost: Int)
  case notice(String)
  case holds(Int, className: String)
  /// Exactly these actions, counted by kind and class.
  case does([ClaimedAction])
  /// Exactly what the last plan showed.
  case asPlanned
}
