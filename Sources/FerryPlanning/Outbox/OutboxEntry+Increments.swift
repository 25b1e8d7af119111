// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// Increments whose outcome is unknown. The entry waits until the server's version proves that none was carried out,
// or until the app says what became of them.
extension OutboxEntry {
  /// The answer of a lookup to the question what became of increments.
  package enum IncrementOutcome: Equatable {
    /// There are none, or none was carried out: they are due again.
    case settled
    /// A request with them may still be at work on the server.
    case mayStillRun
    /// The record has changed since they were sent, and nobody knows by which write.
    case undecidable
  }

  /// The fields with an increment of unknown outcome.
  package var undecidedFields: Set<String> {
    openIncrements.reduce(into: []) { fields, index in
      fields.formUnion(attempts[index].increments?.targets.values.keys.map(\.self) ?? [])
    }
  }

  /// The updates of unknown outcome with increments.
  private var openIncrements: [Int] {
    attempts.indices.filter { attempts[$0].isAdditionInDoubt }
  }

  /// The versions of a record without changes of other clients: the imported version and this device's own stamps.
  ///
  /// A locally created record that was not imported since has its creation time as stamp.
  package func knownVersions(of row: Record?) -> Set<ServerVersion> {
    let known = Set([row?.version, baseVersion, acknowledgedVersion].compactMap { $0 })
    guard known.isEmpty, let createdAt = createdAt ?? row?.createdAt else { return known }
    return [ServerVersion(rawValue: createdAt.description)]
  }

  /// Decides about increments of unknown outcome by what the server shows.
  ///
  /// If the version is one that this device knew as it sent them, and the value is as before, no write has reached the
  /// record since. Any other version may be that of the increments or that of another client's edit, whatever the value
  /// is: both may add the same number. Only a number that was sent itself counts if the server shows it. Nothing is
  /// decided before every request is over, whatever its answer was: a proxy
  /// may have given up a request that is still at work.
  ///
  /// - Parameters:
  ///   - version: The record's version.
  ///   - remote: The server's values.
  ///   - time: When the server was asked.
  ///   - maximumRequestDuration: How long a request may run on the server.
  /// - Returns: The outcome.
  package mutating func settleIncrements(
    over version: ServerVersion, _ remote: Fields, askedAt time: Timestamp,
    maximumRequestDuration: Duration
  ) -> IncrementOutcome {
    let open = openIncrements
    guard !open.isEmpty else { return .settled }
    let areOver = open.allSatisfy {
      attempts[$0].isOver(at: time, maximumRequestDuration: maximumRequestDuration)
    }
    guard areOver else { return .mayStillRun }
    guard kind == .update else {
      // A delete goes on, and the question returns with the row, should the app take the delete back.
      for index in open { attempts[index].outcome = .late }
      return .settled
    }
    if open.allSatisfy({ isUntouched(by: attempts[$0], over: version, remote) }) {
      forgetIncrements(at: open)
    } else if open.allSatisfy({ attempts[$0].isNumberShown(by: remote) }) {
      count(open)
    } else {
      settleElements(at: open, shownBy: remote)
      return .undecidable
    }
    return .settled
  }

  /// Whether no write has reached the record since an attempt was sent.
  private func isUntouched(
    by attempt: Attempt, over version: ServerVersion, _ remote: Fields
  ) -> Bool {
    guard let increments = attempt.increments, increments.versions.contains(version.rawValue)
    else { return false }
    return increments.targets.names.allSatisfy { (base[$0] ?? .null) == (remote[$0] ?? .null) }
  }

  /// Numbers that were sent before they were declared to be added to are as much in doubt as additions.
  ///
  /// - Parameter counters: The fields with the merge `FieldMerge.increment`.
  package mutating func countUnanswered(_ counters: Set<String>) {
    for index in attempts.indices {
      let attempt = attempts[index]
      var names = counters.filter {
        attempt.sent[$0] != nil && attempt.increments?.targets[$0] == nil
      }
      if attempt.kind == .update { names.formIntersection(changed) }
      guard !names.isEmpty else { continue }
      switch attempt.kind {
      case .create:
        let numbers = attempt.sent.only(names)
        attempts[index].add(numbers, over: [])
        attempts[index].sent = attempt.sent.only(
          Set(attempt.sent.values.keys).subtracting(numbers.values.keys))
      case .update where attempt.outcome == .unknown:
        attempts[index].add(
          attempt.sent.only(names), over: Set(knownVersions(of: nil).map(\.rawValue)))
      case .update, .delete, .deleteAfterCreate: break
      }
    }
  }

  /// The server refused the newest attempt, so that none of its increments was carried out.
  package mutating func forgetRefusedIncrements() {
    guard let newest = attempts.indices.last, attempts[newest].kind == .update else { return }
    attempts[newest].increments = nil
  }

  /// The app says whether the server has carried out the increments of unknown outcome.
  ///
  /// The record has to be imported then: an import has left out these fields since.
  ///
  /// - Parameters:
  ///   - counted: Whether the server's value has them.
  ///   - current: The row's present values; nil if it is gone.
  /// - Returns: Whether there were any, and nothing else is under way.
  package mutating func decideIncrements(counted: Bool, current: Fields?) -> Bool {
    guard isDecidable, !undecidedFields.isEmpty, let current else { return false }
    let open = openIncrements
    if counted { count(open) } else { forgetIncrements(at: open) }
    changed = changed.filter { isDue($0, in: current) }
    trimBase()
    failures = FailureStreak()
    isOutdated = true
    enter(hasUnresolvedAttempts ? .inDoubt : .blocked(by: .newerVersion))
    return true
  }

  /// Whether it waits for the app, which has to say whether increments count.
  package var awaitsDecision: Bool {
    kind == .update && isUndecidable && !undecidedFields.isEmpty
  }

  /// Whether the next step is the app's: the record has changed, or the server does not show it.
  private var isDecidable: Bool {
    guard kind == .update else { return false }
    switch state {
    case .parked, .blocked(.notFound): return true
    case .ready, .sending, .inDoubt, .blocked, .confirming: return false
    }
  }

  /// The change is due, unless a request of unknown outcome or an import has to come first.
  mutating func enterAfterEdit() {
    if hasUnresolvedAttempts {
      enter(.inDoubt)
    } else {
      enter(isOutdated && kind == .update ? .blocked(by: .newerVersion) : .ready)
    }
  }

  /// The row goes on with the original of its record, which has none of the additions since the create.
  ///
  /// - Parameters:
  ///   - fields: The fields with additions.
  ///   - row: The row.
  ///   - shown: The values of the create, if the original shows them.
  /// - Returns: Whether there are additions that the original lacks.
  package mutating func carryAdditions(
    in fields: Set<String>, of row: Record, sinceCreate shown: Fields?
  ) -> Bool {
    let sent = attempts.last { $0.kind == .create }?.carried
    guard kind == .update, let created = sent ?? shown else { return false }
    // Whether the duplicate has them matters no more.
    forgetIncrements(at: openIncrements)
    let added = fields.filter { row[$0] != created[$0] ?? .null }
    guard !added.isEmpty else { return false }
    for field in added { base[field] = created[field] ?? .null }
    changed.formUnion(added)
    isOutdated = true
    if state == .confirming || state == .inDoubt { enterAfterEdit() }
    return true
  }

  /// Takes increments for carried out.
  private mutating func count(_ indices: [Int]) {
    for index in indices { base = base.merging(attempts[index].increments?.targets ?? Fields()) }
    forgetIncrements(at: indices)
  }

  /// Forgets increments; what else the attempts sent may have arrived, and stays known as this device's own.
  private mutating func forgetIncrements(at indices: [Int]) {
    for index in indices {
      attempts[index].sent = attempts[index].plain
      attempts[index].increments = nil
      attempts[index].outcome = .late
    }
    attempts.removeAll { $0.kind == .update && $0.outcome == .late && $0.sent.isEmpty }
  }

  /// How long a delete of a record that the server does not show keeps the question what became of increments.
  package static let timeForUndo = Duration.seconds(30 * 86_400)

  /// Whether a delete keeps the question what became of increments, should the app take it back.
  package var hasIncrementsSetAside: Bool {
    kind == .delete && attempts.contains { $0.kind == .update && $0.increments != nil }
  }

  /// The server does not show the record of a delete: it is gone, or only hidden.
  ///
  /// Nothing is left to send. If the app takes the delete back, what became of increments is a question again.
  ///
  /// - Returns: Whether there were any.
  mutating func setAsideIncrements() -> Bool {
    guard hasIncrementsSetAside else { return false }
    for index in attempts.indices { attempts[index].outcome = .late }
    keepBase()
    enter(.confirming)
    return true
  }

  /// The record has the mark of a delete, and with it the number that increments of unknown outcome may have changed.
  ///
  /// - Returns: Whether there were any.
  mutating func setAsideIncrementsOfMarked() -> Bool {
    guard setAsideIncrements() else { return false }
    serverForgot(keepingIncrements: true)
    return true
  }

  /// The row is back: what became of increments while it was gone is a question again.
  mutating func reopenIncrements() {
    for index in attempts.indices
    where attempts[index].kind == .update && attempts[index].increments != nil {
      attempts[index].outcome = .unknown
    }
  }
}

extension Attempt {
  fileprivate mutating func add(_ numbers: Fields, over versions: Set<String>) {
    var increments = increments ?? SentIncrements(targets: Fields(), versions: versions)
    increments.targets = increments.targets.merging(numbers)
    self.increments = increments
  }

  /// Whether it only sent numbers themselves and no additions, and a record shows them.
  fileprivate func isNumberShown(by remote: Fields) -> Bool {
    let targets = increments?.targets ?? Fields()
    return targets.names.allSatisfy { name in
      sent[name] == targets[name] && (remote[name] ?? .null) == (sent[name] ?? .null)
    }
  }
}
