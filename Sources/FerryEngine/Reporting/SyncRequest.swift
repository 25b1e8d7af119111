// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The wishes of a caller for one run.
struct SyncRequest: Sendable {
  /// The stages to run.
  var selection: StageSelection = .all
  /// The classes to ask the server about; nil for all.
  var classes: Set<String>?
  /// How much of each of these classes to compare record by record.
  var comparison: SyncComparison = .rolling
  /// The previous owners from which the store may be taken over.
  var adopting: Set<StoreAdoption> = []
  /// Removals that an earlier run held back and that may pass now.
  var confirmedRemovals: Set<String> = []
  /// Whether the caller syncs again by itself, so that a server which takes no connection ends the run at once.
  var isTriedAgain = false

  /// The request for all that this one and another one ask for; nil if their stages or comparisons differ.
  func united(with other: SyncRequest) -> SyncRequest? {
    guard selection.stages == other.selection.stages, comparison == other.comparison else {
      return nil
    }
    var request = self
    request.classes =
      if let classes, let others = other.classes { classes.union(others) } else { nil }
    request.adopting.formUnion(other.adopting)
    request.confirmedRemovals.formUnion(other.confirmedRemovals)
    return request
  }

  /// Checks that the schema has the classes.
  func checkClasses(in schema: Schema) throws(SyncError) {
    for name in classes?.sorted() ?? [] where schema.entity(name) == nil {
      throw SyncError(
        .configuration,
        "The schema has no class “\(name)”, so no sync can ask for it. Nothing was sent and nothing was changed. "
          + "Register the class, or ask for another one.")
    }
  }
}
