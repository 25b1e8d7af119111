// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Transitions after a lookup: for attempts whose answer never came, or came late.
extension OutboxEntry {
  /// Whether an attempt of unknown outcome sent the field: its value may yet arrive on the server, so
  /// that even a value that both sides have is still a change to send.
  package func isOpen(_ field: String) -> Bool {
    attempts.contains { $0.outcome == .unknown && $0.carried[field] != nil }
  }

  /// Whether a value from the server is not another client's change: it is the base, or this device
  /// sent it.
  package func isRemoteUnchanged(_ field: String, _ remote: Value) -> Bool {
    if (base[field] ?? .null) == remote { return true }
    return attempts.contains { attempt in
      // Of an array that counts as a set, imports may have brought other elements since.
      let isArray = kind == .update && attempt.elements?.fields.contains(field) == true
      return !isArray && attempt.carried[field] == remote
    }
  }

  /// The fields of which updates of unknown outcome sent another value than the row has.
  ///
  /// An addition is a question of its own.
  func fieldsSentOtherwise(than row: Fields) -> Set<String> {
    attempts.filter { $0.kind == .update }.reduce(into: []) { fields, attempt in
      for (name, sent) in attempt.plain.withoutAccessList.values
      where (row[name] ?? .null) != sent { fields.insert(name) }
    }
  }

  /// Whether another record now has the id of the locally deleted record.
  ///
  /// The deleted record is then gone, and the new one stays. If a create of this device may have
  /// run late, the record may be this device's own.
  package func isOutlived(by created: Timestamp) -> Bool {
    guard kind == .delete, !attempts.contains(where: { $0.kind == .create }) else { return false }
    return createdAt.map { $0 < created } ?? true
  }

  /// The server was asked, and does not have the record; the maximum request duration of a create is over.
  ///
  /// - Parameter attemptLimit: After how many failures in a row the entry is parked.
  /// - Returns: Whether the entry is done.
  package mutating func resolveAbsent(attemptLimit: Int = .max) -> Bool {
    // The server failed at the newest attempt, rather than being too slow to answer it.
    let isExhausted =
      failures.count >= attemptLimit && attempts.last?.mayStillRun == false
    if let delete = attempts.lastIndex(where: { $0.kind == .delete }) {
      attempts.remove(at: delete)
    }
    if kind == .update {
      // No PUT can reach a deleted record; the fate of the edit is a conflict to decide. The record may only be hidden,
      // so that an addition is still one of unknown outcome.
      let additions = attempts.filter { $0.isAdditionInDoubt }
      supersedeAttempts()
      attempts.removeAll { $0.kind == .update }
      attempts += additions
      enter(additions.isEmpty ? .ready : .blocked(by: .notFound))
      return false
    }
    if kind == .delete, setAsideIncrements() { return false }
    // The record may only be hidden. Then it has the numbers of the create that made it, and not those of a later one.
    supersedeAttempts(keepingCreates: kind == .create && clientKey == nil)
    forgetRecord()
    let isDone = conclude(hasRow: kind == .create)
    if isExhausted, state == .ready { refuse(.exhausted(attempts: failures.count)) }
    return isDone
  }

  /// The server does not show the record, which may only be hidden.
  private mutating func forgetRecord() {
    if kind == .delete { keepBase() }
    serverForgot()
  }

  /// Whether a record under the id or the key of this create may be another client's work.
  ///
  /// Several devices can create one record again, and an app can choose an id. So the id or the key alone
  /// proves nothing: the record is this device's if it shows all values that a create of it sent.
  ///
  /// Only a copy of this store uses a key that this store minted. Before any edit, the record's values tell
  /// whether the copy made it. After an edit, the key alone proves the create.
  package func isUnproven(
    by remote: Fields, version: ServerVersion?, createdAt: Timestamp
  ) -> Bool {
    let creates = attempts.filter { $0.kind == .create }
    guard isUnknownToServer, !creates.isEmpty, !creates.contains(where: { $0.isShown(by: remote) })
    else { return false }
    let isEdited = version.map { $0.rawValue != createdAt.description } ?? false
    return !isEdited || clientKey.map(MintedID.matches) != true
  }

  /// The record under the id that a create wants, or under its key, has another local row.
  package mutating func yieldID() {
    attempts.removeAll { $0.kind == .create }
    enter(.ready)
  }

  /// The server's values of a deleted record, with its access list.
  package var baseWithAccessList: Fields { base.including(accessList: acl) }

  /// The delete is taken back: what is left are the edits that were made before it.
  package func takingBackDelete() -> OutboxEntry {
    var entry = self
    entry.kind = .update
    entry.attempts = attempts.filter {
      $0.kind == .update && ($0.increments != nil || $0.elements != nil)
    }
    entry.reopenIncrements()
    entry.enter(entry.hasUnresolvedAttempts ? .inDoubt : .ready)
    entry.base = baseWithAccessList
    // Also a value of before: a request with another value may still arrive.
    entry.changed = Set(withdrawn.values.keys).union(entry.undecidedFields)
    entry.withdrawn = Fields()
    entry.lastKnown = Fields()
    entry.acl = .null
    entry.trimBase()
    for name in entry.changed where entry.base[name] == nil { entry.base[name] = .null }
    return entry
  }

  /// A lookup found the record, or an import brings it.
  ///
  /// Of a create that the record does not prove, nothing counts as held by the server, so that the merge
  /// that follows loses no value.
  ///
  /// - Parameters:
  ///   - version: The record's version.
  ///   - createdAt: The record's creation time.
  ///   - remote: The record's declared fields.
  ///   - current: The row's present values; nil if it is gone.
  ///   - formerMark: The field of the mark on the record to which the store lost the row, before the app inserted
  ///     it again; nil for none.
  /// - Returns: Whether the entry is done.
  package mutating func resolvePresent(
    version: ServerVersion?, createdAt: Timestamp, remote: Fields, current: Fields?,
    formerMark: String? = nil
  ) -> Bool {
    let ownMark = ownMark(in: remote)
    let wasCreate = kind == .create
    let wasDelete = wasCreate && !isUnknownToServer
    if kind == .delete, ownMark != nil { return settleByMark() }
    let isUnproven =
      kind == .create && isUnproven(by: remote, version: version, createdAt: createdAt)
    let arrived = isUnproven ? nil : newestArrived(in: remote)
    let mark = formerMark ?? ownMark
    let held = heldFields(in: remote, receivedCreate: isUnknownToServer && !isUnproven)
    if isUnknownToServer {
      // The device knows only what its create sent, and what the server had as this device marked the record as deleted.
      // Any other value is another client's edit.
      base = lastKnown
      changed.formUnion(base.values.keys)
      serverCreated(at: createdAt)
    } else if kind == .create {
      // The delete did not happen, so the app's new insert is an edit of the record.
      kind = .update
      lastKnown = Fields()
      base = baseWithAccessList
      acl = .null
      changed.formUnion(base.values.keys)
    }
    let sent = attempts
    // Another client may have written the same values, so they say nothing of an addition.
    if let arrived, attempts[arrived].kind != .update || attempts[arrived].increments == nil {
      attempts.remove(at: arrived)
    }
    supersedeAttempts()
    if wasDelete, kind == .update { reopenIncrements() }
    // Attempts that did not arrive still count, so that a permanent failure comes to an end.
    if arrived != nil { failures = FailureStreak() }
    if kind == .update { changed.formUnion(held.values.keys) }
    serverHolds(held)
    noteElements(of: sent, shownBy: remote)
    if wasCreate, !wasDelete, kind == .update {
      if isUnproven {
        reopenIncrements()
      } else {
        reopenIncrements(sent: sent, shownBy: remote, version: version, createdAt: createdAt)
      }
    }
    if kind == .update {
      changed = changed.filter { differs($0, in: current, from: base[$0] ?? .null) }
      // Also where the row has the value of before again: the server may have the addition.
      changed.formUnion(undecidedFields)
    }
    let ours = kind == .update ? changed : Set(base.values.keys).union(remote.values.keys)
    if ours.allSatisfy({ isRemoteUnchanged($0, remote[$0] ?? .null) }) {
      acknowledgedVersion = version
    }
    trimBase()
    if let mark, current != nil { takeBack(mark: mark) }
    return conclude(hasRow: current != nil)
  }

  /// The record shows the mark of an earlier delete, and the row is gone again.
  ///
  /// - Returns: Whether the entry is done.
  mutating func settleByMark() -> Bool {
    if setAsideIncrementsOfMarked() { return false }
    keepBase()
    serverForgot()
    supersedeAttempts()
    failures = FailureStreak()
    return conclude(hasRow: false)
  }

  /// The field of the mark that a delete of this device sent, and that the record shows; nil for none.
  ///
  /// If the app has inserted the row again, it takes back its own delete.
  private func ownMark(in remote: Fields) -> String? {
    attempts.first { $0.kind == .delete && !$0.sent.isEmpty && $0.isShown(by: remote) }?
      .sent.values.keys.first
  }

  /// The newest attempt that the record proves, so that it cannot take effect again.
  ///
  /// The record's existence proves one create. An update is proven if the record shows all its
  /// values, and one of them differs from the base.
  private func newestArrived(in remote: Fields) -> Int? {
    let creates = attempts.indices.filter { attempts[$0].kind == .create }
    if isUnknownToServer, let newest = creates.last {
      return creates.last { attempts[$0].isShown(by: remote) } ?? newest
    }
    return attempts.indices.last { index in
      let attempt = attempts[index]
      return attempt.kind == .update && attempt.isShown(by: remote)
        && attempt.sent.values.contains { (base[$0] ?? .null) != $1 }
    }
  }

  /// The values that the server certainly holds, for fields that attempts sent.
  ///
  /// If a field shows a value of this device, that value arrived. A record that received the create
  /// received all of it. If it shows another value, another client has changed it since; the import
  /// decides about that. Of several creates, nobody knows which one arrived, so only a value that all of
  /// them sent surely arrived. An edit made between them may be missing in the one that arrived.
  private func heldFields(in remote: Fields, receivedCreate: Bool) -> Fields {
    var held = Fields()
    let creates = attempts.filter { $0.kind == .create }
    for attempt in attempts where attempt.kind == .create || attempt.kind == .update {
      // Once the record is known, its numbers have gone on from those of the create.
      let values = attempt.kind == .create && isUnknownToServer ? attempt.carried : attempt.plain
      for (name, sent) in values.values {
        let isInEachCreate = creates.allSatisfy { $0.carried[name] == sent }
        // The app has added to the value of the create, also if another client made the record.
        let isReceived = receivedCreate || attempt.increments?.targets[name] != nil
        if (remote[name] ?? .null) == sent || isReceived && isInEachCreate {
          held[name] = sent
        }
      }
    }
    return held
  }

  /// A listing shows the record, with the values sent last or with others.
  ///
  /// An older value of this device means that a timed-out attempt took effect after a later one was
  /// acknowledged. Its fields must then be sent again. Attempts that began longer than the maximum
  /// request duration before the listing can no longer take effect.
  ///
  /// - Parameters:
  ///   - remote: The record's declared fields.
  ///   - createdAt: The record's creation time on the server.
  ///   - listingStartedAt: When the listing started, by the environment's clock.
  ///   - maximumRequestDuration: How long a request may run on the server.
  ///   - duplicatesSought: Whether the server was asked for other records of the same create.
  /// - Returns: Whether the entry is done.
  package mutating func confirm(
    remote: Fields, createdAt: Timestamp, listingStartedAt: Timestamp,
    maximumRequestDuration: Duration, duplicatesSought: Bool = false
  ) -> Bool {
    for attempt in attempts where attempt.outcome == .late && attempt.kind != .delete {
      let elements = attempt.elements?.fields ?? []
      for (name, sent) in attempt.sent.values where !elements.contains(name) {
        let shown = remote[name] ?? .null
        guard sent == shown, changed.contains(name) || base[name].map({ $0 != shown }) == true
        else { continue }
        // A merge that follows must not take the value for another client's.
        base[name] = shown
        changed.insert(name)
      }
    }
    noteElements(of: attempts.filter { $0.outcome == .late }, shownBy: remote)
    if state == .confirming && isUnknownToServer {
      // The row was deleted locally, and the record exists again. A create of this device came late, another
      // client created the record again, or the record was only hidden. Values that this device neither sent
      // nor knew are another client's.
      base = newestArrived(in: remote).map { attempts[$0].carried } ?? lastKnown
      serverCreated(at: createdAt)
    }
    // The app has inserted the row again since that delete, which came late.
    if kind == .update, let mark = ownMark(in: remote) { takeBack(mark: mark) }
    forgetAttempts(resolvedBy: listingStartedAt, maximumRequestDuration, duplicatesSought)
    guard state == .confirming else { return false }
    return conclude(hasRow: kind == .update)
  }

  /// A complete listing does not show the record.
  ///
  /// - Parameters:
  ///   - listingStartedAt: When the listing started, by the environment's clock.
  ///   - maximumRequestDuration: How long a request may run on the server.
  ///   - duplicatesSought: Whether the server was asked for other records of the same create.
  ///   - current: The row's present values; nil if it is gone.
  /// - Returns: Whether the entry is done.
  package mutating func confirmAbsent(
    listingStartedAt: Timestamp, maximumRequestDuration: Duration, duplicatesSought: Bool = false,
    current: Fields?
  ) -> Bool {
    guard state == .confirming else { return false }
    if hasIncrementsSetAside { forgetRecord() }
    if let current, hasLateDelete {
      serverForgot()
      kind = .create
      changed = Set(current.values.filter { !$1.isNull }.keys)
    }
    forgetAttempts(resolvedBy: listingStartedAt, maximumRequestDuration, duplicatesSought)
    return conclude(hasRow: current != nil)
  }

  /// Whether a late delete of this device may have removed the record after the app's new insert of it.
  package var hasLateDelete: Bool {
    attempts.contains { $0.outcome == .late && $0.kind == .delete }
  }

  /// Forgets attempts that a listing would have shown.
  ///
  /// A listing may not show the record of a create that was sent again: its stamp may lie before the
  /// listing, and its values outside of a filter. Only a lookup by its key finds it.
  private mutating func forgetAttempts(
    resolvedBy listing: Timestamp, _ maximumRequestDuration: Duration, _ duplicatesSought: Bool
  ) {
    let keepsCreates = !duplicatesSought && clientKey != nil
    let keepsIncrements = hasIncrementsSetAside
    attempts.removeAll {
      $0.outcome == .late && !(keepsCreates && $0.kind == .create)
        && !(keepsIncrements && $0.increments != nil)
        && $0.isOver(at: listing, maximumRequestDuration: maximumRequestDuration)
    }
    trimBase()
  }
}
