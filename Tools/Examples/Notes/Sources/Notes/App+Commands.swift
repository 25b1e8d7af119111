// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension App {
  static let help = """
    new TEXT         a note for you alone       new @everyone TEXT   everyone reads it
    edit N TEXT      another text               new @USER TEXT       that user reads it
    done N, rm N     done or open, gone         share N WHO          everyone, USER or nobody
    undo             take the last one back     folder NAME          a folder; folder: all
    help, quit       this list, the end         search TEXT          a text; search: all
    unsent, retry    what waits, and why        conflicts            values that lost
    sync             now, not by itself         restore C, seen      bring one back, or not
    signup NAME, login NAME, logout, whoami: the id that others type for USER
    """

  /// How many words may follow a command; any number after the others.
  private static let mostWords = [
    "done": 1, "rm": 1, "share": 2, "restore": 1, "undo": 0, "conflicts": 0, "seen": 0, "unsent": 0,
    "retry": 0, "sync": 0, "logout": 0, "whoami": 0, "help": 0, "quit": 0,
  ]

  /// Does what a line says; an error says why nothing was done.
  func carryOut(_ line: String, on notebook: Notebook, in list: NoteList) async throws -> Step? {
    let store = notebook.store
    let (command, rest) = line.firstWord
    guard rest.split(separator: " ").count <= Self.mostWords[command] ?? .max else {
      throw Problem("\(command) takes fewer words. Nothing was changed. Type help.")
    }
    switch command {
    case "new" where rest.hasPrefix("@"):
      let (reader, text) = rest.dropFirst().firstWord
      try await notebook.add(try text.needed(), to: list.folder, sharedWith: reader)
    case "new": try await notebook.add(try rest.needed(), to: list.folder, sharedWith: nil)
    case "edit":
      let text = try rest.firstWord.rest.needed()
      try await notebook.change(try rest.note()) { $1.text = text }
    case "done": try await notebook.change(try rest.note()) { $1.isDone = $1.isDone != true }
    case "rm": try await notebook.change(try rest.note()) { try $0.delete($1) }
    case "share":
      let access = try notebook.list(sharedWith: try rest.firstWord.rest.needed())
      try await notebook.change(try rest.note()) { try $0.update($1, acl: access) }
    case "undo": await screen.say(try await store.undo()?.text ?? "Nothing to undo.")
    case "folder": return .show(NoteList(folder: rest.isEmpty ? nil : rest))
    case "search":
      return .show(NoteList(folder: list.folder, search: rest.isEmpty ? nil : rest))
    case "conflicts": await screen.say(try await store.read { try $0.conflictsText() })
    case "restore":
      let number = try rest.number(in: "The command conflicts")
      try await store.write { _ = try $0.restore(conflict: number) }
      await screen.say("Restored. The next sync sends it.")
    case "seen": try await store.write { _ = try $0.markConflictsSeen() }
    case "unsent":
      let texts = try await store.inspect { try $0.pendingChanges() }.map {
        "\($0.className) \($0.localID), \($0.kind): \($0.reason ?? "unsent")"
      }
      await screen.say(texts.isEmpty ? "The server has all." : texts.joined(separator: "\n"))
    case "retry":
      let count = try await store.retryChanges()
      notebook.coordinator.wakeUp()
      await screen.say("Sent again: \("change".counted(count)).")
    case "sync":
      let report = try await notebook.coordinator.sync()
      await screen.say(report.outcome == .complete ? "Synced." : "Synced in part: type unsent.")
    case "signup": return try await signUp(try rest.needed())
    case "login": return try await logIn(try rest.needed())
    case "logout": return try await logOut(of: notebook)
    case "whoami":
      await screen.say("\(notebook.userName), with the id \(notebook.user?.objectID ?? "of none")")
    case "help", "": await screen.say(Self.help)
    case "quit": return .quit
    default: throw Problem("There is no command \(command). Nothing was changed. Type help.")
    }
    return nil
  }
}

extension StoreReader {
  fileprivate func conflictsText() throws -> String {
    let texts = try conflicts(limit: 10).filter { !$0.isSeen }.map { conflict in
      let values = conflict.lost.names.map {
        "\($0): lost \(conflict.lost[$0]?.json ?? ""), kept \(conflict.kept[$0]?.json ?? "null")"
      }
      return "\(conflict.id ?? 0) in note \(conflict.record.localID), "
        + (conflict.isWholeRecord ? "deleted elsewhere: " : "") + values.joined(separator: "; ")
    }
    return texts.isEmpty ? "No value was lost." : texts.joined(separator: "\n")
  }
}

extension StringProtocol {
  fileprivate var firstWord: (first: String, rest: String) {
    let first = prefix { $0 != " " }
    return (String(first), String(dropFirst(first.count).drop { $0 == " " }))
  }

  fileprivate func needed() throws(Problem) -> String {
    guard isEmpty else { return String(self) }
    throw Problem("A text or a name is missing. Nothing was changed. Type help.")
  }

  fileprivate func number(in list: String = "The list") throws(Problem) -> Int64 {
    if let number = Int64(firstWord.first) { return number }
    throw Problem("A number is missing. Nothing was changed. \(list) shows the numbers.")
  }

  fileprivate func note() throws(Problem) -> LocalID { LocalID(rawValue: try number()) }
}
