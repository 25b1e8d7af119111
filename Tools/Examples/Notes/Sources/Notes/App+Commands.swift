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

  /// Does what a line says; an error says why nothing was done.
  func carryOut(
    _ line: String, on notebook: Notebook, showing list: NoteList
  ) async throws -> Step? {
    let store = notebook.store
    let (command, rest) = line.firstWord
    switch command {
    case "new" where rest.hasPrefix("@"):
      let (reader, text) = rest.dropFirst().firstWord
      try await notebook.add(try text.needed(), to: list.folder, sharedWith: reader)
    case "new": try await notebook.add(try rest.needed(), to: list.folder, sharedWith: nil)
    case "edit":
      let text = try rest.firstWord.rest.needed()
      try await notebook.change(try rest.note()) { db, note in
        note.text = text
        try db.update(note)
      }
    case "done":
      try await notebook.change(try rest.note()) { db, note in
        note.isDone = note.isDone != true
        try db.update(note)
      }
    case "rm": try await notebook.change(try rest.note()) { try $0.delete($1) }
    case "share":
      let access = try notebook.list(sharedWith: try rest.firstWord.rest.needed())
      try await notebook.change(try rest.note()) { try $0.update($1, acl: access) }
    case "undo":
      let result = try await store.undo()
      await screen.say(result.map { "Undone: \($0.undone.count) changes." } ?? "Nothing to undo.")
    case "folder": return .show(NoteList(folder: rest.isEmpty ? nil : rest))
    case "search":
      return .show(NoteList(folder: list.folder, search: rest.isEmpty ? nil : rest))
    case "conflicts": await screen.say(try await store.read { try $0.conflictsText() })
    case "restore":
      let number = try rest.number()
      try await store.write { _ = try $0.restore(conflict: number) }
    case "seen": try await store.write { _ = try $0.markConflictsSeen() }
    case "unsent":
      let changes = try await store.inspect { try $0.pendingChanges() }
      let texts = changes.map {
        "\($0.className) \($0.localID), \($0.kind): \($0.reason ?? "the next sync sends it.")"
      }
      await screen.say(texts.isEmpty ? "The server has all." : texts.joined(separator: "\n"))
    case "retry":
      let count = try await store.retryChanges()
      notebook.coordinator.wakeUp()
      await screen.say("Sent again: \(count) changes.")
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
  /// The values that lost, each beside the one that stayed.
  fileprivate func conflictsText() throws -> String {
    let texts = try conflicts(limit: 10).filter { !$0.isSeen }.map { conflict in
      let values = conflict.lost.names.map { name in
        let (lost, kept) = (conflict.lost[name] ?? .null, conflict.kept[name] ?? .null)
        return "\(name): lost \(lost.json), kept \(kept.json)"
      }
      let number = conflict.id.map { "\($0)" } ?? ""
      return "\(number) in note \(conflict.record.localID), "
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
    guard !isEmpty else {
      throw Problem("A text or a name is missing. Nothing was changed. Type help.")
    }
    return String(self)
  }

  fileprivate func number() throws(Problem) -> Int64 {
    guard let number = Int64(firstWord.first) else {
      throw Problem("A number is missing. Nothing was changed. The list shows the numbers.")
    }
    return number
  }

  fileprivate func note() throws(Problem) -> LocalID { LocalID(rawValue: try number()) }
}
