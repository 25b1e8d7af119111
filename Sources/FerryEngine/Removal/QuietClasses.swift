// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The classes in which a comparison would find nothing: one look at the store shows it for all of them.
///
/// The listing of such a class was empty, the server counts as many records as there are rows, and no record
/// of the class waits for anything. Most classes of most syncs are quiet.
struct QuietClasses {
  private(set) var names: Set<String> = []

  init(
    _ classes: [(entity: Entity, state: ClassState)], _ userID: String?, in context: StageContext
  ) throws(SyncError) {
    let candidates = classes.filter { entity, state in
      state.scan != nil && state.part(in: context, as: userID) == .nothing
        && state.completeListing.map { Self.mayBeQuiet(entity, state, $0) } == true
    }
    names = try context.read { reader throws(StoreError) in
      var names: Set<String> = []
      for (entity, state) in candidates where try reader.isQuiet(entity, state) {
        names.insert(entity.name)
      }
      return names
    }
  }

  /// Notes that these classes were compared, in one transaction.
  func finish(in context: StageContext) throws(SyncError) {
    guard !names.isEmpty else { return }
    try context.write(.normal) { transaction throws(StoreError) in
      for name in names.sorted() {
        try transaction.change(.classState(name)) { state in
          state.finishComparison(state.scan?.on(context.environment.day))
        }
      }
    }
  }

  /// Whether the state of a class leaves no more than a look at its rows.
  private static func mayBeQuiet(
    _ entity: Entity, _ state: ClassState, _ listing: CompleteListing
  ) -> Bool {
    // The log also names a record whose deletion and another record make the count what it was.
    guard entity.deletionStrategy != .deletionLog else { return false }
    guard entity.countsEachTime else { return entity.deletionStrategy != .fullScan }
    return listing.unchangedCount != nil && listing.isCounted && !state.isCountForbidden
      && state.countDisagreements == 0
  }
}

extension SyncReader {
  /// Whether the server's count is that of the rows, and no record waits for anything.
  fileprivate func isQuiet(_ entity: Entity, _ state: ClassState) throws(StoreError) -> Bool {
    guard try !hasPendingEntries(of: entity.name), try quarantine(of: entity.name).isEmpty,
      try heldRows(of: entity.name).isEmpty,
      try self.state(.keptRows(entity.name)).isEmpty
    else { return false }
    if entity.recordFilter != nil, try !undeclaredEdits(of: entity.name).isEmpty { return false }
    guard entity.countsEachTime else { return true }
    return try state.completeListing?.unchangedCount == acknowledgedCount(of: entity.name)
  }
}
