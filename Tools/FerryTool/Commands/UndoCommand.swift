// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry undo`: takes back the last transaction of the app, or the one that a token names.
struct UndoCommand {
  /// The result of a call.
  private enum Outcome {
    /// The store took a transaction back.
    case undone(UndoText)
    /// There is nothing that could be undone.
    case nothing
    /// The newest edit was made by plain SQL; the last transaction of the app is an older one, if there is any.
    case madeBySQL(HistoryToken, last: HistoryToken?)
    /// History has no such change.
    case unknown
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    let token = try session.command.token
    let configuration = try session.configuration()
    let nothing = token == nil ? Outcome.nothing : .unknown
    switch session.hasStore ? try undo(token, configuration) : nothing {
    case .undone(let text): return tell(text)
    case .nothing: return tellNothing()
    case .madeBySQL(let newest, let last): throw refusal(newest, last)
    case .unknown:
      throw Failure(
        usage:
          "History has no change \(token?.rawValue ?? 0). Nothing was changed. \"ferry history\" lists the changes with "
          + "their tokens.")
    }
  }

  private func undo(
    _ token: HistoryToken?, _ configuration: SyncConfiguration
  ) throws(Failure) -> Outcome {
    let store = try session.writableStore(configuration, in: session.workspace)
    do {
      return try store.write { transaction throws(StoreError) in
        let found =
          if let token { try transaction.transaction(of: token) } else {
            try transaction.undoableTransaction()
          }
        if token == nil, let newest = try Self.editsBySQL(after: found, in: transaction) {
          return .madeBySQL(newest, last: found?.token)
        }
        guard let found else { return token == nil ? .nothing : .unknown }
        let last = try transaction.lastToken()
        let result = try transaction.undo(found)
        let end = try transaction.lastToken()
        return .undone(
          UndoText(result: result, time: found.time, undo: end > last ? end : nil))
      }
    } catch {
      throw Failure(error)
    }
  }

  /// Edits by plain SQL that are the newest ones: they carry no mark, so that the last transaction of the app is an older one.
  private static func editsBySQL(
    after found: HistoryTransaction?, in reader: any StoreReader
  ) throws(StoreError) -> HistoryToken? {
    let newest = try reader.transactions(
      before: nil, matching: HistoryFilter(authors: [.app]), limit: 1
    ).first
    guard let newest, newest.time == nil, !newest.isUndone else { return nil }
    return found.map { $0.token > newest.token } ?? false ? nil : newest.token
  }

  /// To take an older transaction back is not what a person expects who has just edited rows by SQL.
  private func refusal(_ newest: HistoryToken, _ last: HistoryToken?) -> Failure {
    let older = last.map {
      " \"ferry undo --token \($0.rawValue)\" takes the older transaction back, which was made by the app or by ferry."
    }
    return Failure(
      usage:
        "The newest edits were made by SQL, and such edits have no transaction. Nothing was changed. \"ferry undo --token "
        + "\(newest.rawValue)\" takes them back.\(older ?? "")")
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
