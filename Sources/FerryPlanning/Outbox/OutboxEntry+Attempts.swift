// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// The transitions of an entry during sending; OutboxEntry+Resolving has those after a lookup. Every
// transition that can end the entry returns whether it did: true means "remove it".
extension OutboxEntry {
  /// Whether the outcome of an attempt is unknown.
  package var hasUnresolvedAttempts: Bool { attempts.contains { $0.outcome == .unknown } }

  /// Whether an attempt may still take effect on the server.
  package var mayStillCommit: Bool {
    attempts.contains { $0.outcome == .late || $0.mayStillRun }
  }

  /// Whether a create that may have arrived made a record that a user may not read.
  ///
  /// A create under an id of its own is repeated all the same: the server refuses a second record.
  package func isHidden(from userID: String) -> Bool {
    kind == .create && clientKey != nil
      && attempts.contains { attempt in
        guard attempt.kind == .create, attempt.outcome == .unknown,
          let list = attempt.sent[Fields.accessList].flatMap(AccessList.init)
        else { return false }
        return list.hides(from: userID)
      }
  }

  /// Whether nobody could look up whether its create arrived.
  package var isUndecidable: Bool {
    if case .parked(let refusal) = state { refusal.reason == .undecidable } else { false }
  }

  /// Whether no attempt, or none of a kind, can take effect after this time.
  package func isOver(
    _ kind: Kind? = nil, at time: Timestamp, maximumRequestDuration: Duration
  ) -> Bool {
    attempts.allSatisfy {
      kind ?? $0.kind != $0.kind
        || $0.isOver(at: time, maximumRequestDuration: maximumRequestDuration)
    }
  }

  /// The client key under which a second record of the create may appear; nil where none can.
  package var duplicateKey: String? {
    let mayAppear = attempts.contains { $0.outcome == .late && $0.kind == .create }
    return mayAppear ? clientKey : nil
  }

  /// Whether it may be sent; whether it is still blocked is found out anew each time.
  package var mayMove: Bool {
    switch state {
    case .ready, .blocked: true
    case .sending, .inDoubt, .parked, .confirming: false
    }
  }

  /// It cannot be sent now, and says why: only `blocked` and `parked` are reasons.
  ///
  /// - Returns: Whether that is news.
  package mutating func wait(in next: State) -> Bool {
    guard mayMove, state != next else { return false }
    switch next {
    case .blocked, .parked: enter(next)
    case .ready, .sending, .inDoubt, .confirming: return false
    }
    return true
  }

  /// Begins an attempt.
  ///
  /// - Parameters:
  ///   - attempt: The values being sent.
  ///   - clientKey: For a create, the key that it carries; nil where it asks for its own id.
  package mutating func begin(_ attempt: Attempt, clientKey: String? = nil) {
    if attempt.kind == .create {
      self.clientKey = clientKey
      // An earlier create took longer than any request should, so the engine watches it for as long
      // again.
      for index in attempts.indices where attempts[index].kind == .create {
        attempts[index].startedAt = attempt.startedAt
      }
    }
    attempts.append(attempt)
    enter(.sending)
  }

  /// The server has carried out the newest attempt.
  ///
  /// - Parameters:
  ///   - answer: The fields in the server's answer, as its triggers left them.
  ///   - version: The stamp in the answer.
  ///   - createdAt: The creation time in the answer to a create.
  ///   - current: The row's present values; nil if it is gone.
  /// - Returns: Whether the entry is done.
  package mutating func acknowledge(
    answer: Fields, version: ServerVersion?, createdAt: Timestamp?, current: Fields?
  ) -> Bool {
    guard let attempt = attempts.popLast() else { return false }
    supersedeAttempts()
    failures = FailureStreak()
    switch attempt.kind {
    case .delete, .deleteAfterCreate:
      // The record stays with a mark, or another device may bring it back; the app may undo the delete after that.
      if attempt.kind == .delete { keepBase() }
      serverForgot(keepingIncrements: attempt.kind == .delete && !attempt.sent.isEmpty)
    case .create, .update:
      if attempt.kind == .create { serverCreated(at: createdAt ?? attempt.startedAt) }
      acknowledgedVersion = version ?? acknowledgedVersion
      if kind == .update {
        let carried = attempt.carried
        changed = changed.union(carried.values.keys).filter { name in
          guard let sent = carried[name] else { return true }
          return differs(name, in: current, from: sent)
        }
      }
      serverHolds(attempt.carried.merging(answer))
    }
    return conclude(hasRow: current != nil)
  }

  /// No answer came that shows the outcome.
  ///
  /// - Parameter timedOut: Whether the request may still be running: there was no answer in time,
  ///   the connection was lost, or the process ended. False if the server sent an unreadable
  ///   answer.
  package mutating func lose(timedOut: Bool) {
    guard let newest = attempts.indices.last else { return }
    attempts[newest].mayStillRun = timedOut
    enter(.inDoubt)
  }

  /// The server refused for good, or no further attempt is possible.
  ///
  /// This resolves the current attempt. Older attempts of unknown outcome stay, because their
  /// outcome decides what deleting the row means. An edit that the app made since the attempt began is due:
  /// the server has not refused it.
  package mutating func refuse(_ refusal: Refusal) {
    if isDeleteOvertaken { return lose(timedOut: false) }
    let isEditedSince = wasEditedSinceAttempt && refusal.reason != .undecidable
    // A lookup that shows the lack of rights resolves the attempt as well as an answer does.
    if state == .sending && refusal.reason != .undecidable || refusal.reason == .noPermission {
      _ = attempts.popLast()
    }
    if isCancelled {
      enter(.confirming)
    } else if isEditedSince {
      failures = FailureStreak()
      enter(hasUnresolvedAttempts ? .inDoubt : .ready)
    } else {
      enter(.parked(refusal))
    }
  }

  /// The newest attempt surely did not run: it is due again.
  package mutating func postpone() {
    if isDeleteOvertaken { return lose(timedOut: false) }
    if state == .sending { attempts.removeLast() }
    enter(hasUnresolvedAttempts ? .inDoubt : isCancelled ? .confirming : .ready)
  }

  /// The newest attempt did not happen, and the app set fields back to the server's values during it: no
  /// request of them is due any more.
  ///
  /// Folding keeps such a field, because the attempt might have arrived.
  ///
  /// - Parameter current: The row's present values; nil if it is gone.
  /// - Returns: Whether the entry is done.
  package mutating func dropReturned(to current: Fields?) -> Bool {
    guard kind == .update, state == .ready, let current else { return false }
    changed = changed.filter { isDue($0, in: current) }
    trimBase()
    return changed.isEmpty && conclude(hasRow: true)
  }

  /// Whether the engine must send a field of an update: the row differs from the server, or an attempt of unknown
  /// outcome sent it.
  func isDue(_ field: String, in current: Fields) -> Bool {
    differs(field, in: current, from: base[field] ?? .null)
      || isOpen(field) && !isUnsaid(field, in: current)
  }

  /// Whether a row has something else in a field than a value.
  func differs(_ field: String, in current: Fields?, from value: Value) -> Bool {
    !isUnsaid(field, in: current) && (current?[field] ?? .null) != value
  }

  /// Whether the row says nothing: one without an access list leaves it to the server.
  private func isUnsaid(_ field: String, in current: Fields?) -> Bool {
    field == Fields.accessList && current?[field] == nil
  }

  /// After a restart: an attempt that was being sent has an unknown outcome now.
  package mutating func recover() {
    if state == .sending { enter(.inDoubt) }
  }

  /// The user or the app asks to try a parked entry again.
  package mutating func retry() {
    guard case .parked = state else { return }
    failures = FailureStreak()
    enter(hasUnresolvedAttempts ? .inDoubt : .ready)
  }
}

// Common parts of the transitions.
extension OutboxEntry {
  /// A later answer or lookup made the outcome of these attempts unimportant, unless they are still
  /// running.
  ///
  /// - Parameter keepingCreates: Whether creates with numbers that are added to stay known.
  mutating func supersedeAttempts(keepingCreates: Bool = false) {
    attempts.removeAll {
      $0.outcome == .unknown && !$0.mayStillRun
        && !(keepingCreates && $0.kind == .create && $0.increments != nil)
    }
    for index in attempts.indices { attempts[index].outcome = .late }
  }

  /// The app inserted the record again during its delete, and the delete failed.
  ///
  /// A lookup then shows what the server holds, and what is left to send.
  var isDeleteOvertaken: Bool {
    state == .sending && kind == .create && attempts.last?.kind == .delete
  }

  /// The app inserted the record again while it was being marked as deleted.
  ///
  /// The record is still there, so that a lookup shows what is left to send.
  var isMarkOvertaken: Bool { isDeleteOvertaken && attempts.last?.sent.isEmpty == false }

  /// Whether the app edited the record after the attempt began that is being sent or looked up.
  private var wasEditedSinceAttempt: Bool {
    guard state == .sending || state == .inDoubt, let newest = attempts.last else { return false }
    return foldedThrough > newest.token
  }

  /// The app deleted a row whose create certainly has not run; only late attempts are still
  /// watched.
  private var isCancelled: Bool { kind == .deleteAfterCreate && !hasUnresolvedAttempts }

  /// Whether the app deleted the row, and the server never had it.
  ///
  /// It says so of an entry that is over: before, an attempt may still arrive.
  package var isTakenBack: Bool { kind == .deleteAfterCreate && isUnknownToServer }

  var hasUnresolvedDelete: Bool {
    attempts.contains { $0.outcome == .unknown && $0.kind == .delete }
  }

  /// Whether the app inserted the record again during its delete: if that fails, the server still has the record.
  var mayFollowUndoneDelete: Bool {
    kind == .create && createdAt != nil && hasUnresolvedDelete
  }

  mutating func serverCreated(at time: Timestamp) {
    createdAt = time
    lastKnown = Fields()
    if kind == .create { kind = .update }
    if kind == .deleteAfterCreate {
      kind = .delete
      changed = []
    }
  }

  /// The server's values, as the app knew them when it deleted the row: the base, unless the entry has kept an earlier one.
  package var knownToApp: Fields { lastKnown.isEmpty ? baseWithAccessList : lastKnown }

  /// Keeps what the app knew of the record, before the base becomes another one or goes.
  mutating func keepBase() { lastKnown = knownToApp }

  /// The server no longer has the record.
  ///
  /// - Parameter keepingIncrements: Whether it still has the record with a mark, and thereby its numbers.
  mutating func serverForgot(keepingIncrements: Bool = false) {
    createdAt = nil
    baseVersion = nil
    acl = .null
    acknowledgedVersion = nil
    base = Fields()
    attempts.removeAll { $0.kind == .update && !(keepingIncrements && $0.increments != nil) }
    isOutdated = false
  }

  /// Makes the server's values the base, for the fields that the base covers.
  mutating func serverHolds(_ values: Fields) {
    if kind == .update, changed.isEmpty, attempts.isEmpty { return base = Fields() }
    base = base.merging(values)
    if kind == .update { for name in changed where base[name] == nil { base[name] = .null } }
    trimBase()
  }

  /// Keeps the base only of fields that must be sent or that late attempts may change; of all
  /// fields for a delete.
  mutating func trimBase() {
    guard kind == .update else { return }
    base = base.only(watched)
  }

  /// The fields whose base is kept: those to send, and those that an attempt may still overtake.
  private var watched: Set<String> {
    attempts.reduce(into: changed) { $0.formUnion($1.carried.values.keys) }
  }

  /// The record was created anew on the server, and the change is one of the new record.
  package mutating func follow(recordCreatedAt time: Timestamp) { createdAt = time }

  /// The record has another object id now.
  package mutating func rename(to objectID: String) { self.objectID = objectID }

  /// The engine has overwritten fields of the row, and the server still holds the old values.
  package mutating func overwrite(_ old: Fields) {
    for (name, value) in old.values where changed.insert(name).inserted { base[name] = value }
    if state == .confirming { enter(.ready) }
  }

  /// An import has brought both sides together.
  ///
  /// - Parameters:
  ///   - changed: The fields that are still to be sent.
  ///   - remote: The declared fields that the server shows.
  ///   - version: Their version.
  ///   - isConfirmed: Whether the listing also showed that no late attempt is left.
  /// - Returns: Whether the entry is done.
  package mutating func join(
    _ changed: Set<String>, onto remote: Fields, version: ServerVersion, isConfirmed: Bool
  ) -> Bool {
    // The content has changed since the refusal, so it is sent again.
    if changed != self.changed { retry() }
    self.changed = changed
    rebase(onto: remote, version: version)
    guard changed.isEmpty else { return false }
    if isConfirmed || attempts.isEmpty { return true }
    if !hasUnresolvedAttempts { enter(.confirming) }
    return false
  }

  /// The record was edited on the server, and the delete stays.
  package mutating func persist(onto remote: Fields, version: ServerVersion) {
    keepBase()
    base = remote
    meet(version)
  }

  /// The record was marked as deleted on the server, and its edit takes the mark back.
  package mutating func takeBack(mark field: String) {
    changed.insert(field)
    base[field] = true
  }

  /// Whether it takes the mark of a deleted record back, whatever the policy says of edits of deleted records.
  package func takesBack(mark field: String) -> Bool {
    changed.contains(field) && base[field] == true
  }

  /// Makes the server's values the base for the next comparison.
  mutating func rebase(onto remote: Fields, version: ServerVersion) {
    // Of an increment of unknown outcome, nobody knows whether the server's value has it.
    let known = remote.merging(base.only(undecidedFields))
    isOutdated = !undecidedFields.isEmpty
    base = Fields(
      Dictionary(uniqueKeysWithValues: watched.map { ($0, known[$0] ?? .null) }))
    meet(version)
  }

  /// The server's version of the record is known here: the change need not wait for it.
  package mutating func meet(_ version: ServerVersion) {
    baseVersion = version
    switch state {
    case .blocked(.newerVersion), .blocked(.notFound), .blocked(.quarantine):
      enter(hasUnresolvedAttempts ? .inDoubt : .ready)
    case .ready, .sending, .inDoubt, .parked, .blocked, .confirming: break
    }
  }

  /// Whether the server certainly does not have the record.
  package var isUnknownToServer: Bool { createdAt == nil }

  /// Chooses a state when no attempt is running; true if nothing is left to do or to watch.
  mutating func conclude(hasRow: Bool) -> Bool {
    let isNothingToSend: Bool
    switch kind {
    case .create: isNothingToSend = !hasRow
    case .update: isNothingToSend = changed.isEmpty || !hasRow
    case .delete, .deleteAfterCreate: isNothingToSend = isUnknownToServer
    }
    if hasUnresolvedAttempts {
      enter(.inDoubt)
    } else if isOutdated, kind == .update, hasRow {
      enter(.blocked(by: .newerVersion))
    } else if !isNothingToSend {
      enter(.ready)
    } else {
      enter(.confirming)
      return !attempts.contains { $0.outcome == .late }
    }
    return false
  }
}
