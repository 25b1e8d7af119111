// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry conflicts`: the values that syncs overwrote or removed; on demand, restores them or marks them as seen.
struct ConflictsCommand {
  /// The work on the conflict records.
  enum Action: String, CaseIterable, Sendable {
    case list, show, restore, seen

    /// Whether it changes the store.
    var writes: Bool { self == .restore || self == .seen }
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    let action = session.command.conflictsAction
    try checkFlags(of: action)
    switch action {
    case .list: return try list()
    case .show: return try show()
    case .restore where session.command.has(.run):
      return try RestoreRunCommand(session: session).run()
    case .restore: return try RestoreCommand(session: session).run()
    case .seen: return try markSeen()
    }
  }

  /// Refuses what an action does not take, so that nobody takes a filter of a list for a choice of what to mark.
  private func checkFlags(of action: Action) throws(Failure) {
    let command = session.command
    let hasNumber = command.secondOperand != nil
    let (taken, isChosen): (Set<Flag.Name>, Bool) =
      switch action {
      case .list: ([.limit, .before, .className], !hasNumber)
      case .show: ([], hasNumber)
      case .restore: ([.run], hasNumber != command.has(.run))
      case .seen:
        (
          [.all, .className],
          hasNumber ? !command.has(.all) && !command.has(.className) : command.has(.all)
        )
      }
    let others: Set<Flag.Name> = [.limit, .before, .className, .run, .all]
    let isFitting = isChosen && !others.subtracting(taken).contains { command.has($0) }
    guard !isFitting else { return }
    let usage =
      switch action {
      case .list: "list takes --class, --limit and --before only"
      case .show: "show takes the NUMBER of one conflict record"
      case .restore:
        "restore takes the NUMBER of one conflict record, or --run NUMBER for all of a run"
      case .seen:
        "seen takes the NUMBER of one conflict record, or --all for all of them, or --all --class NAME for those "
          + "of a class"
      }
    throw Failure(usage: "ferry conflicts \(usage). Nothing was changed.")
  }

  private func list() throws(Failure) -> ExitCode {
    let limit = try session.command.limit
    let before = try session.command.number(.before).map(Int64.init)
    let configuration = try session.configuration()
    // Without a name, also those of classes that ferry.json has left out since.
    let names: [String?] =
      session.command.has(.className) ? try session.classNames(configuration) : [nil]
    var conflicts: [ConflictRecord] = []
    try session.inspect(configuration) { store throws(StoreError) in
      for name in names {
        conflicts += try store.rows.conflicts(of: name, before: before, limit: limit)
      }
    }
    // The newest are wanted, and come last.
    let newest = conflicts.sorted { $0.id ?? 0 < $1.id ?? 0 }.suffix(limit)
    let texts = newest.map { ConflictText(conflict: $0) }
    for text in texts { session.console.message(text.json) }
    session.console.message(JSONMessage("summary", ["conflicts": .count(texts.count)]))
    let lines = texts.flatMap(\.lines)
    session.console.result(lines.isEmpty ? nothing(before) : lines.joined(separator: "\n"))
    if texts.contains(where: { !$0.conflict.isRestored }) {
      session.console.note("\"ferry restore NUMBER\" brings a lost value back.")
    }
    return .success
  }

  /// One conflict record, with the row as it is now.
  private func show() throws(Failure) -> ExitCode {
    let number = try session.command.conflictNumber()
    var text: ConflictText?
    try session.inspect(session.configuration()) { store throws(StoreError) in
      guard let conflict = try store.rows.conflict(number) else { return }
      // The class may be missing from ferry.json.
      let isRegistered = store.rows.schema.entity(conflict.record.className) != nil
      text = ConflictText(
        conflict: conflict, row: isRegistered ? try store.rows.row(of: conflict) : nil)
    }
    guard let text else { throw .unknownConflict(number) }
    session.console.message(text.jsonWithRow)
    session.console.result(text.linesWithRow.joined(separator: "\n"))
    return .success
  }

  private func markSeen() throws(Failure) -> ExitCode {
    let command = session.command
    let number = command.has(.all) ? nil : try command.conflictNumber()
    let configuration = try session.configuration()
    guard session.hasStore else {
      if let number { throw .unknownConflict(number) }
      return tellSeen(0)
    }
    let store = try session.writableStore(configuration, in: session.workspace)
    do {
      let count = try store.write { transaction throws(StoreError) in
        if let number { return try transaction.markSeen(conflict: number) ? 1 : 0 }
        guard command.has(.className) else { return try transaction.markConflictsSeen() }
        var count = 0
        for name in command.classNames { count += try transaction.markConflictsSeen(of: name) }
        return count
      }
      return tellSeen(count)
    } catch {
      guard let number, error.code == .noSuchRecord else { throw Failure(error) }
      throw .unknownConflict(number)
    }
  }

  private func tellSeen(_ count: Int) -> ExitCode {
    session.console.message(JSONMessage("seen", ["conflicts": .count(count)]))
    session.console.result(
      count == 0
        ? "Nothing was unseen."
        : "Marked \(count.counted("conflict record", "conflict records")) as seen.")
    return .success
  }

  private func nothing(_ before: Int64?) -> String {
    let place = before.map { " before the number \($0)" } ?? ""
    return "There is no conflict record\(place)."
  }
}

extension ParsedCommand {
  /// The action of `ferry conflicts`; to list, where none is named.
  var conflictsAction: ConflictsCommand.Action {
    operand.flatMap(ConflictsCommand.Action.init) ?? .list
  }

  /// The conflict record that the command names: `ferry restore 41` or `ferry conflicts show 41`.
  func conflictNumber() throws(Failure) -> Int64 {
    let text = (name == .restore ? operand : secondOperand) ?? ""
    guard let number = Int64(text), number > 0 else {
      let action = name == .restore ? "" : " \(operand ?? "")"
      throw Failure(
        usage:
          "ferry \(name.rawValue)\(action) takes the number of a conflict record, not \(text.quoted). \"ferry conflicts\" "
          + "lists the numbers.")
    }
    return number
  }
}

extension Failure {
  /// There is no conflict record with that number.
  static func unknownConflict(_ number: Int64) -> Failure {
    Failure(
      usage:
        "There is no conflict record \(number). Nothing was changed. \"ferry conflicts\" lists the "
        + "numbers.")
  }
}
