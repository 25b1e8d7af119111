// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore
import Foundation

/// The result of an import, reported after the commit.
struct ImportOutcome {
  /// Records read, valid or not.
  var records = 0
  private var unchanged = 0
  private var actions: [SyncAction] = []
  private var setAside: [QuarantinedRecord] = []

  mutating func note(_ plan: ImportPlan) {
    unchanged += plan.unchanged
    actions += plan.actions
    setAside += plan.setAside
  }

  func tell(_ context: StageContext, _ entity: Entity) {
    context.ledger.act(actions)
    context.ledger.unchanged(unchanged, in: entity.name)
    guard let first = setAside.first else { return }
    context.notice(
      SyncNotice(
        .quarantined, className: entity.name, objectID: setAside.count == 1 ? first.objectID : nil,
        "\(setAside.count) of the records of \(entity.name) cannot be imported and were set aside as "
          + "they came; everything else went on. They are tried again when they or the schema change. "
          + "The first one: \(first.reason)"))
  }
}
