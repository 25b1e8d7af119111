// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The effect of a write's outcome: the entry afterwards, and the work of the engine.
///
/// A pure value. The entry is `sending` before.
///
/// | write | outcome | entry | then |
/// | --- | --- | --- | --- |
/// | any | done | done, ready, confirming | nothing |
/// | any | done, but for fields that cannot be sent | parked | nothing |
/// | any | no request could be made | parked | nothing |
/// | delete | done by a mark, and the app has inserted the row again | in doubt | look up |
/// | create | done, for a record that has another row | in doubt | look up |
/// | any | park | parked | nothing |
/// | any | postpone | ready | nothing |
/// | any | sendSmaller, in a batch | ready | send smaller |
/// | any | sendSmaller, alone | parked | nothing |
/// | create | findOutAboutIDs | ready | find out about ids |
/// | create | askForLogin | ready | ask for login |
/// | any | doubt | in doubt | nothing |
/// | change | doubt, at the limit of attempts | parked | nothing |
/// | any | lookUp | in doubt | look up |
/// | update | did not happen, and the app set its fields back | done, confirming | nothing |
///
/// Where the app took the change back meanwhile, the events of `OutboxEntry` lead elsewhere.
package struct WriteConclusion {
  package enum Next: Equatable {
    case nothing
    case lookUp(WriteInDoubt.Reason)
    case sendSmaller
    case findOutAboutIDs
    case askForLogin
  }

  package private(set) var entry: OutboxEntry
  package private(set) var isDone = false
  /// Whether record and row are gone, so that the store only remembers their ids.
  package private(set) var isForgotten = false
  package private(set) var next = Next.nothing
  package private(set) var actions: [SyncAction] = []
  /// The values that the row has to take: the server's values of merged fields, with the app's edits since.
  package private(set) var merged = Fields()
  /// The server's values of merged fields.
  private var answered = Fields()
  private let stage: StageName

  private init(_ entry: OutboxEntry, in stage: StageName) {
    self.entry = entry
    self.stage = stage
  }

  /// The server carried the write out.
  ///
  /// - Parameters:
  ///   - entry: The entry, after the row of a create got the record's id.
  ///   - write: The write.
  ///   - acknowledgement: The server's answer.
  ///   - entity: The class.
  ///   - current: The row's present values; nil if it is gone.
  ///   - stage: The stage that sent it.
  /// - Returns: The conclusion.
  package static func done(
    _ entry: OutboxEntry, _ write: SentWrite, _ acknowledgement: Acknowledgement,
    of entity: Entity?, current: Fields?, in stage: StageName
  ) -> WriteConclusion {
    var conclusion = WriteConclusion(entry, in: stage)
    if entry.isMarkOvertaken {
      conclusion.lookUp(.lost)
      return conclusion
    }
    let isDelete = write.attempt.kind == .delete
    conclusion.isForgotten = isDelete && current == nil
    conclusion.note(
      write.attempt.kind.action, fields: isDelete ? [] : Set(write.attempt.carried.values.keys),
      reason: entry.additions(of: write.attempt))
    var answer = entity?.declared(acknowledgement.changes) ?? Fields()
    conclusion.takeMerged(from: &answer, write.attempt, of: entity, current)
    conclusion.isDone = conclusion.entry.acknowledge(
      answer: answer,
      version: acknowledgement.version, createdAt: acknowledgement.creation?.time,
      current: current)
    if let refusal = write.unsendable.refusal, conclusion.entry.state == .ready,
      conclusion.entry.changed.isSubset(of: write.unsendable.names)
    {
      conclusion.park(refusal)
    }
    return conclusion
  }

  /// The row has been given the merged values, so that the server's values are the base of what is still to be sent.
  package mutating func noteMerged() {
    if !isDone { entry.serverHolds(answered.only(Set(entry.base.values.keys))) }
  }

  /// The server answered a create with the id of a record that has another local row.
  ///
  /// A lookup of the create shows its outcome.
  package static func rivalled(_ entry: OutboxEntry, in stage: StageName) -> WriteConclusion {
    var conclusion = WriteConclusion(entry, in: stage)
    conclusion.lookUp(.lost)
    return conclusion
  }

  /// The change cannot be written, so no request was made.
  package static func unwritable(
    _ entry: OutboxEntry, _ refusal: Refusal, current: Fields?, in stage: StageName
  ) -> WriteConclusion {
    var conclusion = WriteConclusion(entry, in: stage)
    conclusion.park(refusal)
    conclusion.isDone = conclusion.entry.dropReturned(to: current)
    return conclusion
  }

  /// The request was made, and has not left.
  package static func unsent(
    _ entry: OutboxEntry, current: Fields?, in stage: StageName
  ) -> WriteConclusion {
    var conclusion = WriteConclusion(entry, in: stage)
    conclusion.postpone(.nothing)
    conclusion.isDone = conclusion.entry.dropReturned(to: current)
    return conclusion
  }

  /// The write did not succeed.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - write: The write.
  ///   - failure: Why it did not succeed.
  ///   - current: The row's present values; nil if it is gone.
  ///   - isShared: Whether a whole batch failed, rather than this write alone.
  ///   - attemptLimit: After how many failures in a row a change is parked.
  ///   - now: The present time.
  ///   - stage: The stage that sent it.
  /// - Returns: The conclusion.
  package static func failed(
    _ entry: OutboxEntry, _ write: SentWrite, _ failure: WriteFailure, current: Fields?,
    isShared: Bool, attemptLimit: Int, at now: Timestamp, in stage: StageName
  ) -> WriteConclusion {
    var conclusion = WriteConclusion(entry, in: stage)
    switch WriteConsequence(failure.meaning, of: write.kind) {
    case .park: conclusion.park(failure.refusal)
    case .postpone: conclusion.postpone(.nothing)
    case .sendSmaller where isShared: conclusion.postpone(.sendSmaller)
    case .sendSmaller: conclusion.park(failure.refusal)
    case .findOutAboutIDs: conclusion.postpone(.findOutAboutIDs)
    case .askForLogin where write.addsMember: conclusion.park(.ownerGone(failure))
    case .askForLogin: conclusion.postpone(.askForLogin)
    case .lookUp(let reason):
      conclusion.entry.failures.add(isShared: isShared, at: now)
      // The app does not want any more what was denied.
      conclusion.lookUp(conclusion.entry.isDeleteOvertaken ? .lost : reason)
    case .doubt(let mayStillRun):
      conclusion.entry.failures.add(isShared: isShared, at: now)
      let isLast = !isShared && !mayStillRun && conclusion.entry.failures.count >= attemptLimit
      conclusion.doubt(mayStillRun: mayStillRun, isLast: isLast, failure.message)
    }
    conclusion.isDone = conclusion.entry.dropReturned(to: current)
    return conclusion
  }
}

// The steps.
extension WriteConclusion {
  /// Takes the values of fields out of an answer that are merged with the row's.
  ///
  /// As bases they would make what other clients have added look like what the app has removed, until the row has them.
  private mutating func takeMerged(
    from answer: inout Fields, _ attempt: Attempt, of entity: Entity?, _ current: Fields?
  ) {
    guard !answer.isEmpty else { return }
    for field in entity?.fields ?? [] where field.merge == .increment || field.merge == .set {
      guard let value = answer[field.name] else { continue }
      answer[field.name] = nil
      guard let current, entry.kind == .update || attempt.kind == .create else { continue }
      let local = current[field.name] ?? .null
      // A field that the request left out had its base on the server, or no value before the create.
      let unsent = attempt.kind == .create ? .null : entry.base[field.name] ?? local
      let sent = attempt.carried[field.name] ?? unsent
      guard let joined = field.merge?.merge(base: sent, local: local, remote: value),
        joined.reason(againstWritingTo: field.type) == nil
      else { continue }
      answered[field.name] = value
      if joined != local { merged[field.name] = joined.normalized(for: field.type) }
    }
  }

  private mutating func park(_ refusal: Refusal) {
    entry.refuse(refusal)
    // The entry of a change that the app took back goes another way.
    guard case .parked = entry.state else { return }
    note(.park, fields: entry.changed, reason: refusal.message)
  }

  private mutating func postpone(_ next: Next) {
    entry.postpone()
    self.next = next
  }

  private mutating func lookUp(_ reason: WriteInDoubt.Reason) {
    entry.lose(timedOut: false)
    next = .lookUp(reason)
  }

  private mutating func doubt(mayStillRun: Bool, isLast: Bool, _ message: String) {
    // A create has to be looked up first, because it may have arrived, and so has an increment.
    let mustBeKnown = entry.kind != .delete && entry.attempts.last?.increments != nil
    if isLast, !mustBeKnown, entry.kind == .update || entry.kind == .delete {
      return park(.exhausted(attempts: entry.failures.count, message))
    }
    entry.lose(timedOut: mayStillRun)
    note(.wait, fields: entry.changed, reason: message)
  }

  private mutating func note(
    _ kind: SyncAction.Kind, fields: Set<String>, reason: String? = nil
  ) {
    actions.append(entry.action(kind, in: stage, fields: fields, reason: reason))
  }
}

extension OutboxEntry.Kind {
  fileprivate var action: SyncAction.Kind {
    switch self {
    case .create: .post
    case .update: .put
    case .delete, .deleteAfterCreate: .delete
    }
  }
}

extension OutboxEntry {
  /// An action of a report about the entry's record.
  func action(
    _ kind: SyncAction.Kind, in stage: StageName, fields: Set<String> = [], reason: String? = nil
  ) -> SyncAction {
    SyncAction(
      kind, in: stage, className: className, localID: localID,
      objectID: kind == .post ? nil : permanentID, fields: fields, reason: reason)
  }
}

extension Entity {
  /// The declared fields in an answer; an operation in it means that the field was removed.
  fileprivate func declared(_ changes: [String: Value]) -> Fields {
    guard serializer == nil else { return Fields() }
    return Fields(changes.filter { field($0.key)?.type.accepts($0.value) == true })
  }
}
