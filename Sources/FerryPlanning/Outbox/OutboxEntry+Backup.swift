// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

// The store went back to a backup: unsent changes in it may have been sent after all.
extension OutboxEntry {
  /// Unsent additions wait from now on like those whose answer was lost.
  ///
  /// Those of a row that the app deleted wait should the row come back. The number of a create is nothing to add, if the
  /// create finds its record. Later additions to a create in doubt wait once its record is found.
  ///
  /// - Parameters:
  ///   - counters: The fields with the merge `FieldMerge.increment`.
  ///   - row: The row; nil if it is gone.
  ///   - token: The newest position in history.
  ///   - time: The present time.
  /// - Returns: Whether the entry has become another one.
  package mutating func doubtIncrements(
    of counters: Set<String>, in row: Record?, token: HistoryToken, at time: Timestamp
  ) -> Bool {
    switch kind {
    case .update:
      let names = changed.intersection(counters).subtracting(undecidedFields)
      guard let row, !names.isEmpty else { return false }
      doubt(row.fields.including(names), over: knownVersions(of: row), token, time, .unknown)
      switch state {
      case .ready, .blocked: enter(.inDoubt)
      case .sending, .inDoubt, .confirming, .parked: break
      }
    case .delete where !isUnknownToServer:
      let targets = withdrawn.only(counters.subtracting(setAsideFields))
      guard !targets.isEmpty else { return false }
      doubt(targets, over: knownVersions(of: nil), token, time, .late)
    case .create where isUnknownToServer:
      guard let row else { return false }
      return doubtCreate(of: row.fields.only(counters), token, time)
    case .deleteAfterCreate where isUnknownToServer:
      return doubtCreate(of: withdrawn.only(counters), token, time)
    case .create, .delete, .deleteAfterCreate: return false
    }
    return true
  }

  private mutating func doubt(
    _ targets: Fields, over versions: Set<ServerVersion>, _ token: HistoryToken,
    _ time: Timestamp, _ outcome: Attempt.Outcome
  ) {
    var attempt = Attempt(kind: .update, sent: Fields(), token: token, startedAt: time)
    attempt.increments = SentIncrements(
      targets: targets, versions: Set(versions.map(\.rawValue)), isOfBackup: true)
    attempt.outcome = outcome
    attempts.append(attempt)
  }

  private mutating func doubtCreate(
    of numbers: Fields, _ token: HistoryToken, _ time: Timestamp
  ) -> Bool {
    guard let sent = attempts.last(where: { $0.kind == .create })?.carried else {
      guard !numbers.isEmpty else { return false }
      var attempt = Attempt(kind: .create, sent: Fields(), token: token, startedAt: time)
      attempt.increments = SentIncrements(targets: numbers, versions: [], isOfBackup: true)
      attempt.outcome = .late
      attempts.append(attempt)
      return true
    }
    let added = numbers.names.filter { numbers[$0] != sent[$0] && !setAsideFields.contains($0) }
    guard !added.isEmpty else { return false }
    doubt(numbers.only(Set(added)), over: [], token, time, .late)
    return true
  }

  /// The fields with an increment that is a question once the row is back, or once its create is found.
  private var setAsideFields: Set<String> {
    attempts.reduce(into: []) { fields, attempt in
      guard attempt.kind == .update else { return }
      fields.formUnion(attempt.increments?.targets.names ?? [])
    }
  }

  /// The record of a create was found: what became of additions since is a question, unless nobody has edited the record.
  ///
  /// A record that nobody has edited shows the number of the create. If the row of a create that was unsent in the backup
  /// has another one, either the backup has forgotten additions, or the app has added since.
  ///
  /// - Parameters:
  ///   - sent: The attempts before the record was found.
  ///   - remote: The record's declared fields.
  ///   - version: The record's version.
  ///   - createdAt: The record's creation time.
  mutating func reopenIncrements(
    sent: [Attempt], shownBy remote: Fields, version: ServerVersion?, createdAt: Timestamp
  ) {
    for index in attempts.indices where attempts[index].kind == .update {
      attempts[index].increments?.versions.insert(createdAt.description)
    }
    reopenIncrements()
    guard version?.rawValue == createdAt.description,
      let create = sent.last(where: { $0.kind == .create && $0.increments?.isOfBackup == true }),
      let numbers = create.increments?.targets
    else { return }
    let other = Set(numbers.names.filter { (remote[$0] ?? .null) != numbers[$0] })
      .subtracting(undecidedFields)
    guard !other.isEmpty else { return }
    doubt(numbers.only(other), over: [], create.token, create.startedAt, .unknown)
    base = base.merging(remote.including(other))
    changed.formUnion(other)
  }
}

extension Fields {
  /// The values of fields; null where there is none.
  fileprivate func including(_ names: Set<String>) -> Fields {
    Fields(Dictionary(uniqueKeysWithValues: names.map { ($0, self[$0] ?? .null) }))
  }
}
