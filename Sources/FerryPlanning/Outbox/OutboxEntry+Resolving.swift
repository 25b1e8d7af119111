// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// What asking the server tells about attempts whose answer never came, or came late.
extension OutboxEntry {
  /// Whether an attempt of unknown outcome sent the field: its value may yet arrive on the server, so
  /// that even a value that both sides have is still a change to send.
  package func isOpen(_ field: String) -> Bool {
    attempts.contains { $0.outcome == .unknown && $0.sent[field] != nil }
  }

  /// Whether a value the server shows is no change by anybody else: it is the base, or our own.
  package func isRemoteUnchanged(_ field: String, _ remote: Value) -> Bool {
    if (base[field] ?? .null) == remote { return true }
    return attempts.contains { $0.sent[field] == remote }
  }

  /// Whether the record that has the id now is another one than was deleted here.
  ///
  /// The one deleted here is gone then, and this one is to stay. A create of ours that may have run
  /// late would make it ours again.
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
    let isExhausted = failures >= attemptLimit && attempts.last?.mayStillRun == false
    if let delete = attempts.lastIndex(where: { $0.kind == .delete }) {
      attempts.remove(at: delete)
    }
    supersedeAttempts()
    if kind == .update {
      // No PUT can reach a record that is gone; what becomes of the edit is a conflict to decide.
      attempts.removeAll { $0.kind == .update }
      enter(.ready)
      return false
    }
    serverForgot()
    let isDone = conclude(hasRow: kind == .create)
    if isExhausted, state == .ready { refuse(.exhausted(attempts: failures)) }
    return isDone
  }

  /// The server refused a create because its id is taken, and shows the record that has it.
  ///
  /// It is ours if an earlier create of this entry may have run, or if it shows what was sent.
  /// Otherwise it is somebody else's, and nothing of this entry is on the server.
  ///
  /// - Returns: Whether the record is somebody else's.
  package mutating func yieldTakenID(to remote: Fields) -> Bool {
    let creates = attempts.filter { $0.kind == .create }
    guard isUnknownToServer, creates.count == 1,
      !creates[0].sent.values.allSatisfy({ (remote[$0] ?? .null) == $1 })
    else { return false }
    yieldID()
    return true
  }

  /// The record under the id that a create wants, or under its key, is not the create's work.
  package mutating func yieldID() {
    attempts.removeAll { $0.kind == .create }
    enter(.ready)
  }

  /// The delete is taken back: what is left are the edits that were made before it.
  package func takingBackDelete() -> OutboxEntry {
    var entry = self
    entry.kind = .update
    entry.enter(.ready)
    entry.changed = Set(withdrawn.values.keys)
    entry.withdrawn = Fields()
    entry.acl = .null
    entry.attempts = []
    entry.trimBase()
    for name in entry.changed where entry.base[name] == nil { entry.base[name] = .null }
    return entry
  }

  /// The server was asked, and has the record.
  ///
  /// - Parameters:
  ///   - version: The version it shows.
  ///   - createdAt: When it created the record.
  ///   - remote: The declared fields it shows.
  ///   - current: What the row holds now; nil when it is gone.
  /// - Returns: Whether the entry is done.
  package mutating func resolvePresent(
    version: ServerVersion?, createdAt: Timestamp, remote: Fields, current: Fields?
  ) -> Bool {
    let arrived = newestArrived(in: remote)
    let held = heldFields(in: remote)
    if isUnknownToServer {
      base = kind == .create ? Fields() : remote
      serverCreated(at: createdAt)
    } else if kind == .create {
      // Its delete did not happen: what the app inserted again is an edit of it.
      kind = .update
      changed.formUnion(base.values.keys)
    }
    if let arrived { attempts.remove(at: arrived) }
    supersedeAttempts()
    // An attempt that did not arrive counts on: what fails for ever must come to an end.
    if arrived != nil { failures = 0 }
    if kind == .update { changed.formUnion(held.values.keys) }
    serverHolds(held)
    if kind == .update {
      changed = changed.filter { (current?[$0] ?? .null) != (base[$0] ?? .null) }
    }
    let ours = kind == .update ? changed : Set(base.values.keys).union(remote.values.keys)
    if ours.allSatisfy({ isRemoteUnchanged($0, remote[$0] ?? .null) }) {
      acknowledgedVersion = version
    }
    trimBase()
    return conclude(hasRow: current != nil)
  }

  /// The newest attempt of which the record bears canary, so that it cannot take effect again.
  ///
  /// That the record is there proves one create. An update is proven by showing all that it sent,
  /// something of which is not what the server held before.
  private func newestArrived(in remote: Fields) -> Int? {
    func shows(_ attempt: Attempt) -> Bool {
      attempt.sent.values.allSatisfy { (remote[$0] ?? .null) == $1 }
    }
    let creates = attempts.indices.filter { attempts[$0].kind == .create }
    if isUnknownToServer, let newest = creates.last {
      return creates.last { shows(attempts[$0]) } ?? newest
    }
    return attempts.indices.last { index in
      let attempt = attempts[index]
      return attempt.kind == .update && shows(attempt)
        && attempt.sent.values.contains { (base[$0] ?? .null) != $1 }
    }
  }

  /// What the server may be taken to hold, of the fields that attempts sent.
  ///
  /// A field that shows a value of ours arrived. A create that is there arrived whole: where it
  /// shows something else, somebody changed it since, which is for the import to judge.
  private func heldFields(in remote: Fields) -> Fields {
    var held = Fields()
    for attempt in attempts where attempt.kind == .create || attempt.kind == .update {
      for (name, sent) in attempt.sent.values {
        if (remote[name] ?? .null) == sent {
          held[name] = sent
        } else if isUnknownToServer {
          let isShownOtherwise = attempts.contains { $0.sent[name] == (remote[name] ?? .null) }
          if !isShownOtherwise { held[name] = sent }
        }
      }
    }
    return held
  }

  /// A listing shows the record, which is what we sent last or not.
  ///
  /// An older snapshot of our own means that a timed-out attempt took effect after a later one was
  /// acknowledged; its fields are then to be sent again. Attempts that left longer than the
  /// maximum request duration before the listing started cannot overtake any more.
  ///
  /// - Parameters:
  ///   - remote: The declared fields it shows.
  ///   - createdAt: When it was created there.
  ///   - listingStartedAt: When the listing started, by the environment's clock.
  ///   - maximumRequestDuration: How long the server may be at a request.
  /// - Returns: Whether the entry is done.
  package mutating func confirm(
    remote: Fields, createdAt: Timestamp, listingStartedAt: Timestamp,
    maximumRequestDuration: Duration
  ) -> Bool {
    for attempt in attempts where attempt.outcome == .late && attempt.kind != .delete {
      for (name, sent) in attempt.sent.values {
        let shown = remote[name] ?? .null
        guard !changed.contains(name), sent == shown, let expected = base[name],
          expected != shown
        else { continue }
        base[name] = shown
        changed.insert(name)
      }
    }
    if state == .confirming && isUnknownToServer {
      // Deleted here, and there again: a create of ours came late.
      serverCreated(at: createdAt)
      base = remote
    }
    forgetAttempts(resolvedBy: listingStartedAt, maximumRequestDuration)
    guard state == .confirming else { return false }
    return conclude(hasRow: kind == .update)
  }

  /// A complete listing does not show the record.
  ///
  /// - Parameters:
  ///   - listingStartedAt: When the listing started, by the environment's clock.
  ///   - maximumRequestDuration: How long the server may be at a request.
  ///   - current: What the row holds now; nil when it is gone.
  /// - Returns: Whether the entry is done.
  package mutating func confirmAbsent(
    listingStartedAt: Timestamp, maximumRequestDuration: Duration, current: Fields?
  ) -> Bool {
    guard state == .confirming else { return false }
    if let current, attempts.contains(where: { $0.outcome == .late && $0.kind == .delete }) {
      // A late delete of ours overtook the app's new insert of the record: create it again.
      serverForgot()
      kind = .create
      changed = Set(current.values.filter { !$1.isNull }.keys)
    }
    forgetAttempts(resolvedBy: listingStartedAt, maximumRequestDuration)
    return conclude(hasRow: current != nil)
  }

  private mutating func forgetAttempts(
    resolvedBy listing: Timestamp, _ maximumRequestDuration: Duration
  ) {
    attempts.removeAll {
      $0.outcome == .late
        && $0.isOver(at: listing, maximumRequestDuration: maximumRequestDuration)
    }
    trimBase()
  }
}
