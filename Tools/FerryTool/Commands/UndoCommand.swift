// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry undo`: takes back the last transaction of the app, or the one that a token names.
struct UndoCommand {
  /// The result of a call.
  private enum Outcome {
    /// The store took a transaction back.
    case undone(UndoText)
    /// There is nothing that could be undone, except newer edits by plain SQL.
    case nothing
    /// History has no such change.
    case unknown
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    let token = try session.command.token
    let configuration = try session.configuration()
    let (outcome, spared) =
      session.hasStore
      ? try undo(token, configuration) : (token == nil ? .nothing : .unknown, nil)
    if let spared { warn(of: spared) }
    switch outcome {
    case .undone(let text): return tell(text)
    case .nothing: return tellNothing()
    case .unknown:
      throw Failure(
        usage:
          "History has no change \(token?.rawValue ?? 0). Nothing was changed. \"ferry history\" lists the changes with "
          + "their tokens.")
    }
  }

  /// Takes the transaction back.
  ///
  /// - Returns: The outcome, and the newest edit by plain SQL that it passed over.
  private func undo(
    _ token: HistoryToken?, _ configuration: SyncConfiguration
  ) throws(Failure) -> (Outcome, sparing: HistoryToken?) {
    let store = try session.writableStore(configuration, in: session.workspace)
    do {
      return try store.write { transaction throws(StoreError) in
        let found =
          if let token { try transaction.transaction(of: token) } else {
            try transaction.undoableTransaction()
          }
        let spared = token == nil ? try Self.editsBySQL(after: found, in: transaction) : nil
        guard let found else { return (token == nil ? .nothing : .unknown, spared) }
        let last = try transaction.lastToken()
        let result = try transaction.undo(found)
        let end = try transaction.lastToken()
        let text = UndoText(result: result, time: found.time, undo: end > last ? end : nil)
        return (.undone(text), spared)
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Edits by plain SQL that are the newest ones: they carry no mark, so that `undo` without a token passes them over.
  private static func editsBySQL(
    after found: HistoryTransaction?, in reader: any StoreReader
  ) throws(StoreError) -> HistoryToken? {
    let newest = try reader.transactions(
      before: nil, matching: HistoryFilter(authors: [.app]), limit: 1
    ).first
    guard let newest, newest.time == nil, !newest.isUndone else { return nil }
    return found.map { $0.token > newest.token } ?? false ? nil : newest.token
  }

  private func warn(of spared: HistoryToken) {
    session.console.warning(
      "A program has edited rows by SQL since. Those edits stay: \"ferry undo --token \(spared.rawValue)\" takes them back."
    )
  }

  private func tell(_ text: UndoText) -> ExitCode {
    for message in text.messages { session.console.message(message) }
    session.console.result(text.lines.joined(separator: "\n"))
    if let undo = text.undo {
      session.console.note("\"ferry undo --token \(undo.rawValue)\" does the transaction again.")
    }
    return text.result.kept.isEmpty ? .success : .partial
  }

  private func tellNothing() -> ExitCode {
    session.console.message(UndoText.nothing)
    session.console.result("There is nothing to undo.")
    return .success
  }
}

extension ParsedCommand {
  /// The change that `--token` names; nil without the flag.
  fileprivate var token: HistoryToken? {
    get throws(Failure) {
      guard let text = value(.token) else { return nil }
      guard let number = Int64(text), number > 0 else {
        throw Failure(
          usage:
            "--token takes the token of a change, not \(text.quoted). Nothing was changed. \"ferry history\" lists the "
            + "tokens.")
      }
      return HistoryToken(rawValue: number)
    }
  }
}
