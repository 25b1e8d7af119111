// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// The extent of a sync or a plan.
struct RunScope: Sendable {
  var stages = StageSelection.all
  /// The classes to ask the server about; nil for all.
  var classes: Set<String>?
  var comparison = SyncComparison.rolling
  var adopting: Set<StoreAdoption> = []
}
