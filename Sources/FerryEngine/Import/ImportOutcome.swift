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
  private(set) var unchanged = 0
  /// The actions of each page: to copy them into one array would take room and time.
  private var parts: [[SyncAction]] = []
  private var setAside: [QuarantinedRecord] = []
  private var resolverFailures: [ResolverFailure] = []

  var actions: [SyncAction] { parts.flatMap { $0 } }

  mutating func note(_ plan: ImportPlan) {
    unchanged += plan.unchanged
    if !plan.actions.isEmpty { parts.append(plan.actions) }
    setAside += plan.setAside
    resolverFailures += plan.resolverFailures
  }

  mutating func note(_ plan: BatchPlan) {
    unchanged += plan.unchanged
    if !plan.actions.isEmpty { parts.append(plan.actions) }
  }

  func tell(_ context: StageContext, _ entity: Entity) {
    for actions in parts { context.ledger.act(actions) }
    context.ledger.unchanged(unchanged, in: entity.name)
    tellSetAside(context, entity)
    tellResolverFailures(context, entity)
  }

  private func tellSetAside(_ context: StageContext, _ entity: Entity) {
    tell(setAside.filter { !$0.isRefusedByStore }, context, entity) { count in
      "\(count.counted("record")) of \(entity.name) cannot be imported, and everything else went on. Ferry "
        + "keeps \(count == 1 ? "it" : "them") aside, and tries again after a change on the server or of "
        + "\(context.schema.name)."
    }
    tell(setAside.filter(\.isRefusedByStore), context, entity) { count in
      "The store's table refuses \(count.counted("record")) of \(entity.name). No row was changed by it, and "
        + "everything else went on. Drop the rule, or let it take what the server sends; each sync tries again."
    }
  }

  private func tell(
    _ records: [QuarantinedRecord], _ context: StageContext, _ entity: Entity,
    _ what: (Int) -> String
  ) {
    guard let first = records.first else { return }
    context.notice(
      SyncNotice(
        .quarantined, className: entity.name, objectID: records.count == 1 ? first.objectID : nil,
        "\(what(records.count)) The first one, \(first.objectID): \(first.reason)"))
  }

  private func tellResolverFailures(_ context: StageContext, _ entity: Entity) {
    guard let first = resolverFailures.first else { return }
    let count = resolverFailures.count
    context.notice(
      SyncNotice(
        .resolverFailed, className: entity.name, objectID: count == 1 ? first.objectID : nil,
        "The app's resolver failed for \(count.counted("record")) of \(entity.name). The server's values "
          + "stayed, and the local values are kept as conflict records, which can be restored. "
          + "The first failure was at \(first.objectID): \(first.sentence)"))
  }
}
