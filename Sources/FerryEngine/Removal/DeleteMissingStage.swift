// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stage 3: finds rows that are gone on the server, and removes them here as far as the guard lets it.
///
/// Parse keeps no record of deletions, and a record one may no longer read looks deleted. So nothing is
/// removed but after a complete listing, a second question by id, and under a limit. The ranges
/// whose turn it is in the rolling scan are compared here too: for a record that a download missed.
struct DeleteMissingStage: Stage {
  let name: StageName? = .deleteMissing

  func run(in context: StageContext) throws(SyncError) {
    let userID = try context.read { try $0.state(.binding) }?.userID
    for entity in context.entities {
      try context.checkCancellation()
      let key = BookkeepingKey.classState(entity.name)
      let state = try context.read { try $0.state(key) }
      let part = state.part(in: context, as: userID)
      guard let completeListing = state.completeListing else {
        if part != .nothing || entity.asksEachTime { notice(entity, in: context) }
        continue
      }
      let comparison = ClassComparison(
        context: ClassContext(entity, in: context), completeListing: completeListing, userID: userID
      )
      var scan = state.scan
      do {
        scan = try comparison.run(state, comparing: part)
      } catch {
        context.fail(
          entity.name,
          "\(entity.name) could not be looked through for records that are gone on the server. Nothing "
            + "was removed by it; the next sync tries again. \(try error.failure())")
      }
      try context.write(.normal) { [scan] transaction in
        try transaction.change(key) { state in
          // Evidence serves once: what is looked through next needs a listing of its own.
          state.completeListing = nil
          state.scan = scan
        }
      }
    }
  }

  private func notice(_ entity: Entity, in context: StageContext) {
    context.notice(
      SyncNotice(
        .listingIncomplete, className: entity.name,
        "\(entity.name) was not looked through for records that are gone on the server: that needs "
          + "a complete download and import first. Nothing was removed."))
  }
}

extension ClassState {
  /// What of the class is to be compared in this run.
  fileprivate func part(in context: StageContext, as userID: String?) -> RollingScan.Part {
    if context.comparison == .everything { return .everything }
    let day = context.environment.day
    guard let part = scan?.on(day).due(on: day, as: userID) else { return .nothing }
    return part == .range && context.scanPace == nil ? .nothing : part
  }
}

extension Entity {
  /// Whether the server is asked in every run what is gone.
  fileprivate var asksEachTime: Bool { countsEachTime || deletionStrategy == .fullScan }
}

extension StageContext {
  /// How fast the rolling scan goes through classes; nil where they are not.
  var scanPace: ScanPace? { ScanPace(share: options.dailyScanShare) }
}
