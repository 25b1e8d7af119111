// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The effect of a lookup on a write in doubt: the entry afterwards, and the work of the engine.
///
/// A pure value. The entry is `in doubt` before.
///
/// | doubt | lookup | entry | then |
/// | --- | --- | --- | --- |
/// | duplicate | absent | parked | nothing |
/// | lost, denied | absent, and the create may still run | in doubt | nothing |
/// | lost, denied | absent | done, ready, confirming, parked | nothing |
/// | lost, duplicate | unreadable | in doubt | nothing |
/// | denied | unreadable | parked | nothing |
/// | any | present, with another row | ready | import |
/// | lost, duplicate | present, perhaps another client's record | in doubt | import |
/// | duplicate | present, another client's record, and the row is gone | done | import |
/// | denied | present, and not to be deleted | done | reinstate |
/// | denied | present, not to be deleted, and edited before the delete | ready | take back |
/// | denied | present, and marked as deleted meanwhile | done | nothing |
/// | denied | present, and not to be edited | parked | nothing |
/// | lost, duplicate | present | done, ready, confirming | nothing |
/// | lost, duplicate | present, and outside the filter of the class | done, ready, confirming | import |
/// | lost, duplicate | present, and marked as deleted, of a delete | done | nothing |
/// | lost, duplicate | forbidden, of a create | parked | nothing |
/// | denied | forbidden | parked | nothing |
package struct LookupConclusion {
  package enum Next: Equatable {
    case nothing
    /// The record comes into the store as in any import, which joins it with its row.
    case importRecord
    /// The row is inserted again as the server has it.
    case reinstate(Record)
    /// The row is inserted again with its unsent edits. Then the record comes into the store as in any import, which
    /// merges both.
    case takeBack(Record)
  }

  package private(set) var entry: OutboxEntry
  package private(set) var isDone = false
  /// Whether the record is gone, so that the store only remembers its ids.
  package private(set) var isForgotten = false
  package private(set) var next = Next.nothing
  package private(set) var actions: [SyncAction] = []
  private let stage: StageName
  /// The row's present values; nil if it is gone.
  private let current: Fields?

  private init(_ entry: OutboxEntry, current: Fields? = nil, in stage: StageName?) {
    self.entry = entry
    self.current = current
    self.stage = stage ?? entry.kind.stage
  }
}

extension LookupConclusion {
  /// The server does not have the record, or does not show it.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - doubt: Why it was looked up.
  ///   - current: The row's present values; nil if it is gone.
  ///   - isOver: Whether a create of it can no longer appear.
  ///   - attemptLimit: After how many failures in a row a change is parked.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func absent(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, current: Fields?, isOver: Bool, attemptLimit: Int,
    in stage: StageName?
  ) -> LookupConclusion {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    if case .duplicate = doubt.reason {
      conclusion.park(
        .refused, doubt,
        "Another record has a value that has to be unique, or the id belongs to a record that may "
          + "not be read here. The record is kept and not sent again. "
          + (doubt.failure?.message ?? ""))
      return conclusion
    }
    guard isOver else {
      conclusion.note(.wait, "A create may still be running on the server; it is asked for again.")
      return conclusion
    }
    conclusion.isForgotten = entry.kind == .delete
    let isSettled = conclusion.entry.resolveAbsent(attemptLimit: attemptLimit)
    conclusion.isDone = isSettled || conclusion.entry.dropReturned(to: current)
    if conclusion.isForgotten { conclusion.note(.delete) }
    if case .parked(let refusal) = conclusion.entry.state {
      conclusion.note(.park, refusal.message)
    }
    return conclusion
  }

  /// Nobody can look whether a create arrived, because its access list leaves out the user who asks.
  package static func hidden(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, current: Fields?, in stage: StageName?
  ) -> LookupConclusion {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    conclusion.park(
      .undecidable, doubt,
      "The server may have this record or not: its access list leaves this user out, so nobody can look. "
        + "The engine does not send it again, because it would then be there twice. The row stays here. "
        + "If the record is missing for those who may read it, insert its values as a new row.")
    return conclusion
  }

  /// The server shows the record, but with values that cannot be read here.
  ///
  /// The record exists, so a second create would double it, and a delete has not been carried out.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - doubt: Why it was looked up.
  ///   - reason: Why the record cannot be read.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func unreadable(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, reason: String, current: Fields?,
    in stage: StageName?
  ) -> LookupConclusion {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    if doubt.reason == .denied {
      conclusion.parkDenied(
        doubt, "This user may not change the record, and it cannot be imported.", reason)
      return conclusion
    }
    conclusion.note(
      .wait,
      "The server has the record, but it cannot be imported; it is asked for again. \(reason)")
    return conclusion
  }

  /// The server shows the record; nil where it settles the write, which `settled` decides.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - doubt: Why it was looked up.
  ///   - record: The record.
  ///   - entity: The class.
  ///   - hasRival: Whether the record has another row already.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func present(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, _ record: ServerRecord, of entity: Entity,
    hasRival: Bool, current: Fields?, in stage: StageName?
  ) -> LookupConclusion? {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    let isUnproven = entry.isUnproven(
      by: record.contents(of: entity), version: record.version, createdAt: record.createdAt)
    if entry.kind == .create, hasRival {
      conclusion.entry.yieldID()
      conclusion.next = .importRecord
    } else if isUnproven, entry.kind == .create {
      conclusion.next = .importRecord
    } else if isUnproven, doubt.reason == .duplicate, entry.attempts.count == 1 {
      conclusion.isDone = true
      conclusion.next = .importRecord
    } else if doubt.reason == .denied {
      conclusion.deny(doubt, record, entity)
    } else {
      return nil
    }
    return conclusion
  }

  /// The server shows the record, and thereby what became of the write.
  ///
  /// - Parameters:
  ///   - entry: The entry, after the row of a create got the record's id.
  ///   - record: The record.
  ///   - entity: The class.
  ///   - wasCreate: Whether it was the create that had been in doubt.
  ///   - formerMark: The field of the mark to which the store lost the row, before the app inserted it again.
  ///   - isListed: Whether listings show the record; else nothing but a lookup brings other clients' edits.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func settled(
    _ entry: OutboxEntry, _ record: ServerRecord, of entity: Entity, wasCreate: Bool,
    formerMark: String? = nil, isListed: Bool, current: Fields?, in stage: StageName?
  ) -> LookupConclusion {
    var conclusion = LookupConclusion(entry, in: stage)
    if wasCreate { conclusion.note(.post) }
    conclusion.isDone = conclusion.entry.resolvePresent(
      version: record.version, createdAt: record.createdAt, remote: record.contents(of: entity),
      current: current, formerMark: formerMark)
    // A mark that this device sent is settled before.
    if conclusion.entry.kind == .delete, !conclusion.entry.isUnknownToServer,
      entity.isFlagged(record)
    {
      conclusion.isDone = conclusion.entry.settleByMark()
    }
    // The record has the mark that the delete sent, or that of an earlier delete.
    if conclusion.entry.kind == .delete, conclusion.entry.isUnknownToServer {
      conclusion.isForgotten = true
      conclusion.note(.delete)
    }
    if !isListed { conclusion.next = .importRecord }
    return conclusion
  }

  /// The server shows the record, and not what became of increments that were sent; nil where it does.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - outcome: The outcome of the increments, as far as the record shows it.
  ///   - record: The record.
  ///   - entity: The class.
  ///   - isListed: Whether listings show the record; else nothing but a lookup brings other clients' edits.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func uncounted(
    _ entry: OutboxEntry, _ outcome: OutboxEntry.IncrementOutcome, _ record: ServerRecord,
    of entity: Entity, isListed: Bool, current: Fields?, in stage: StageName?
  ) -> LookupConclusion? {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    switch outcome {
    case .settled: return nil
    case .mayStillRun:
      conclusion.note(
        .wait, "An addition may still be running on the server; the record is asked for again.")
    case .undecidable:
      conclusion.park(
        Refusal(
          reason: .undecidable, message: entry.doubtfulIncrements(record.fields(of: entity))))
    }
    if !isListed { conclusion.next = .importRecord }
    return conclusion
  }

  /// The class may not be read; nil for a write that stays in doubt, as a lost update or delete does.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - doubt: Why it was looked up.
  ///   - code: The server's number for its refusal.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that asks; nil before the first stage.
  /// - Returns: The conclusion.
  package static func undecidable(
    _ entry: OutboxEntry, _ doubt: WriteInDoubt, code: Int?, current: Fields?, in stage: StageName?
  ) -> LookupConclusion? {
    var conclusion = LookupConclusion(entry, current: current, in: stage)
    if doubt.reason == .denied {
      conclusion.parkDenied(doubt, "This user may neither change the record nor read its class.")
      return conclusion
    }
    guard entry.kind == .create else { return nil }
    conclusion.park(
      Refusal(
        reason: .undecidable, code: code,
        message:
          "The server may have this record or not: the class may not be read, so nobody can look. "
          + "The engine does not send it again, because it would then be there twice. The row "
          + "stays here, and each sync asks again whether the class may be read."
      ))
    return conclusion
  }
}

// The steps.
extension LookupConclusion {
  /// The user may read the record but not write it: the change is parked, and a deleted row is
  /// restored.
  private mutating func deny(_ doubt: WriteInDoubt, _ record: ServerRecord, _ entity: Entity) {
    guard entry.kind == .delete else {
      return parkDenied(
        doubt,
        "This user may read the record \(entry.objectID) of \(entry.className), but not change it.")
    }
    // Another client has marked it as deleted, as the app wanted.
    guard !entity.isFlagged(record) else { return isDone = true }
    var row = Record(
      className: entry.className, localID: entry.localID, objectID: entry.objectID,
      fields: record.fields(of: entity), acl: record.acl, createdAt: record.createdAt,
      version: record.version)
    var happened = "This user may not delete the record on the server, so it is back here"
    let returned = entry.takingBackDelete()
    if returned.changed.isEmpty, !entry.attempts.contains(where: { $0.increments != nil }) {
      isDone = true
      next = .reinstate(row)
    } else {
      row.contents = entry.baseWithAccessList.merging(entry.withdrawn)
      row.version = entry.baseVersion
      next = .takeBack(row)
      entry = returned
      happened += " with its unsent edits"
    }
    note(.park, happened + ".")
  }

  /// Parks a denied change of a record that nobody can look at.
  private mutating func parkDenied(
    _ doubt: WriteInDoubt, _ happened: String, _ detail: String? = nil
  ) {
    let kept =
      "The change is kept here and not sent again by itself. Discard it, or retry it once the user may change the record."
    park(.noPermission, doubt, [happened, kept, detail].compactMap(\.self).joined(separator: " "))
  }

  private mutating func park(
    _ reason: Refusal.Reason, _ doubt: WriteInDoubt, _ message: String
  ) {
    park(Refusal(reason: reason, code: doubt.failure?.code, message: message))
  }

  private mutating func park(_ refusal: Refusal) {
    entry.refuse(refusal)
    if case .parked = entry.state {
      note(.park, refusal.message)
    } else {
      isDone = entry.dropReturned(to: current)
    }
  }

  private mutating func note(_ kind: SyncAction.Kind, _ reason: String? = nil) {
    let fields = kind == .park && entry.kind == .update ? entry.changed : []
    actions.append(entry.action(kind, in: stage, fields: fields, reason: reason))
  }
}

extension OutboxEntry.Kind {
  /// The stage that sends it.
  package var stage: StageName {
    switch self {
    case .create: .postCreated
    case .update: .putUpdated
    case .delete, .deleteAfterCreate: .deleteDeleted
    }
  }
}
