// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry undo`: takes back the last transaction of the app, or the one that a token names.
struct UndoCommand {
  /// The result of a call.
  private enum Outcome {
    case undone(UndoText)
    /// There is nothing that could be undone.
    case nothing
    /// History has no such change.
    case unknown
  }

  var session: Session

  func run() throws(Failure) -> ExitCode {
    let token = try session.command.token
    let configuration = try session.configuration()
    switch session.hasStore ? try undo(token, configuration) : token == nil ? .nothing : .unknown {
    case .undone(let text): return tell(text)
    case .nothing: return tellNothing()
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
