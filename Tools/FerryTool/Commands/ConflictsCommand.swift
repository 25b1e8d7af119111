// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry conflicts`: the values that syncs overwrote or removed.
struct ConflictsCommand {
  var session: Session

  func run() throws(Failure) -> ExitCode {
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
    let texts = newest.map(ConflictText.init(conflict:))
    for text in texts { session.console.message(text.json) }
    session.console.message(JSONMessage("summary", ["conflicts": .count(texts.count)]))
    let lines = texts.flatMap(\.lines)
    session.console.result(lines.isEmpty ? nothing(before) : lines.joined(separator: "\n"))
    if texts.contains(where: { !$0.conflict.isRestored }) {
      session.console.note("\"ferry restore NUMBER\" brings a lost value back.")
    }
    return .success
  }

  private func nothing(_ before: Int64?) -> String {
    let place = before.map { " before the number \($0)" } ?? ""
    return "There is no conflict record\(place)."
  }
}
