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
    attempts.indices.filter { index in
      let attempt = attempts[index]
      return attempt.kind == .update && attempt.outcome == .unknown && attempt.increments != nil
    }
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
  /// is: both may add the same number. Nothing is decided before every request is over, whatever its answer was: a proxy
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
    guard kind != .delete, kind != .deleteAfterCreate else {
      // The row is gone, and its increments with it. The server's value may have them, and is no other client's edit.
      for index in open {
        for (name, target) in attempts[index].increments?.targets.values ?? [:]
        where remote[name] == target { base[name] = target }
      }
      dropIncrements()
      return .settled
    }
    let areOver = open.allSatisfy {
      attempts[$0].isOver(at: time, maximumRequestDuration: maximumRequestDuration)
    }
    guard areOver else { return .mayStillRun }
    let isUntouched = open.allSatisfy { index in
      guard let increments = attempts[index].increments,
        increments.versions.contains(version.rawValue)
      else { return false }
      return increments.targets.names.allSatisfy { (base[$0] ?? .null) == (remote[$0] ?? .null) }
    }
    guard isUntouched else {
      guard kind == .create else { return .undecidable }
      // The app has inserted the row again, and its value counts as what the server has.
      count(open)
      return .settled
    }
    forgetIncrements(at: open)
    return .settled
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
    guard case .parked = state, kind == .update, !undecidedFields.isEmpty, let current else {
      return false
    }
    let open = openIncrements
    if counted { count(open) } else { forgetIncrements(at: open) }
    changed = changed.filter { isDue($0, in: current) }
    trimBase()
    failures = FailureStreak()
    enter(hasUnresolvedAttempts ? .inDoubt : .blocked(by: .newerVersion))
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
      attempts[index].increments = nil
      attempts[index].outcome = .late
    }
    attempts.removeAll { $0.kind == .update && $0.outcome == .late && $0.sent.isEmpty }
  }

  /// Drops increments of a row that the app deleted, also from the edits that a row has which comes back.
  ///
  /// The server may have carried them out, so that they must not be sent again.
  mutating func dropIncrements() {
    for name in undecidedFields { withdrawn[name] = nil }
    for index in attempts.indices where attempts[index].kind == .update {
      attempts[index].increments = nil
    }
  }
}
