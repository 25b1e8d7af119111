// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// Stage 3: finds rows that are gone on the server, and removes them here as far as the guard lets it.
///
/// Parse keeps no record of deletions, and a record one may no longer read looks deleted. So nothing is
/// removed but after a complete listing, a second question by id, and under a limit.
struct DeleteMissingStage: Stage {
  let name: StageName? = .deleteMissing

  func run(in context: StageContext) throws {
    for entity in context.entities where entity.deletionStrategy.looksForMissing {
      try context.checkCancellation()
      let key = BookkeepingKey.classState(entity.name)
      let state = try context.store.syncRead { try $0.state(key) }
      guard let census = state.census else {
        context.notice(
          SyncNotice(
            .listingIncomplete, className: entity.name,
            "\(entity.name) was not looked through for records that are gone on the server: that needs "
              + "a complete download and import first. Nothing was removed."))
        continue
      }
      do {
        try ClassCensus(context: context, entity: entity, census: census).run(state)
      } catch  where error is ParseError || error is PageError {
        context.fail(
          entity.name,
          "\(entity.name) could not be looked through for records that are gone on the server. Nothing "
            + "was removed by it; the next sync tries again. \(error)")
      }
      // Evidence serves once: what is looked through next needs a listing of its own.
      try context.store.sync(.normal) { try $0.change(key) { $0.census = nil } }
    }
  }
}

extension DeletionStrategy {
  fileprivate var looksForMissing: Bool {
    switch self {
    case .counting, .sweep: true
    case .softDelete, .never: false
    }
  }
}
