// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

// Apps that show how much is unsent.
extension Player {
  /// Folds a device's edits as the observation of a badge does, which another program's rule may refuse.
  func foldForBadge(on number: Int) {
    let device = devices[number]
    // A failing disk is the matter of other worlds.
    guard world.settings.showsBadges, device.disk == nil, !device.isKilled else { return }
    let isDue = try? device.program.store.syncRead { reader throws(StoreError) in
      try !reader.isFoldedToTheEnd()
    }
    guard isDue == true else { return }
    try? device.program.store.sync(.normal) { transaction throws(StoreError) in
      try transaction.fold()
    }
    tally.count("a badge folds", isWithinSync: !courses.isEmpty)
  }
}
