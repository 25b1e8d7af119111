// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Lists the members of relations whose owners have another version than at the last listing.
///
/// A write of a relation gives its owner a new version, so owners without one have the members that they had. See
/// `MemberMarks` for what is remembered of each owner.
struct MembersStage: Stage {
  let name: StageName? = nil

  func run(in context: StageContext) throws(SyncError) {
    for entity in context.schema.entities where asks(entity, in: context) {
      guard let membership = entity.membership else { continue }
      try context.checkCancellation()
      do {
        let context = ClassContext(entity, in: context)
        let refused = try MemberDownload(context: context, membership: membership).run()
        if let first = refused.first {
          notice(refused, first, of: entity, membership, in: context.stage)
        } else {
          try context.change(.classState(entity.name)) { $0.isInitialSyncDone = true }
        }
      } catch {
        let failure = try error.failure()
        context.notice(
          SyncNotice(
            .classFailed, className: entity.name,
            "The members of \(membership.ownerClass).\(membership.field) could not be listed, so \(entity.name) stays as it "
              + "is; the next sync tries again. Unsent members go on. \(failure)"))
      }
    }
  }

  private func notice(
    _ refused: RefusedOwners, _ first: (owner: String, failure: ClassFailure), of entity: Entity,
    _ membership: Membership, in context: StageContext
  ) {
    context.notice(
      SyncNotice(
        .classFailed, className: entity.name,
        "The server did not list the members of \(refused.count.counted("record")) of \(membership.ownerClass), such as "
          + "\(first.owner), so their rows of \(entity.name) stay as they are; the next sync tries again. All others are "
          + "listed. \(first.failure)"))
  }

  private func asks(_ entity: Entity, in context: StageContext) -> Bool {
    guard let membership = entity.membership else { return false }
    let owner = context.schema.entity(membership.ownerClass)
    return context.asks(entity) || owner.map(context.asks) ?? false
  }
}
