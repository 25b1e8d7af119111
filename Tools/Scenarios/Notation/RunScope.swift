// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// The extent of a sync or a plan.
struct RunScope: Sendable {
  var stages = StageSelection.all
  var comparison = SyncComparison.rolling
  var adopting: Set<StoreAdoption> = []
}
