// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A conflict record on a few lines: which side won, and each value that was lost.
struct ConflictText: Sendable {
  var conflict: ConflictRecord
  /// The row as it is now, where it is shown; nil if it is gone.
  var row: Record?

  var lines: [String] { lines { _ in "" } }

  /// The lines, with the value that the row has now of each lost field.
  var linesWithRow: [String] {
    lines { name in row.map { ", now \(Self.text($0.fields[name]))" } ?? "" }
      + (row == nil ? ["    The row is gone, or ferry.json leaves out its class."] : [])
  }

  private func lines(_ present: (String) -> String) -> [String] {
    let (record, number) = (conflict.record, conflict.id.map { "\($0)" } ?? "?")
    let head =
      "\(number)  \(conflict.time)  \(record.className) #\(record.localID) \(record.objectID): "
      + conflict.reason.words
    let state = conflict.isRestored ? " (restored)" : conflict.isSeen ? " (seen)" : ""
    return [head + state]
      + conflict.lost.names.map { name in
        "    \(name): lost \(Self.text(conflict.lost[name]))"
          + (conflict.kept[name].map { ", kept \(Self.text($0))" } ?? "") + present(name)
      } + (conflict.acl.isNull ? [] : ["    acl: \(Self.text(conflict.acl))"])
  }

  var json: JSONMessage {
    JSONMessage(
      "conflict",
      [
        "number": conflict.id.map(Value.integer) ?? .null,
        "time": .string(conflict.time.description),
        "class": .string(conflict.record.className),
        "local_id": .integer(conflict.record.localID.rawValue),
        "object_id": .string(conflict.record.objectID),
        "reason": .string(conflict.reason.rawValue),
        "winner": conflict.reason.winner.map(Value.string) ?? .null,
        "lost": .object(conflict.lost.values), "kept": .object(conflict.kept.values),
        "whole": .boolean(conflict.isWholeRecord), "acl": conflict.acl,
        "restored": .boolean(conflict.isRestored), "seen": .boolean(conflict.isSeen),
        "run": conflict.run.map(Value.integer) ?? .null,
      ])
  }

  /// The same, with the lost fields as the row has them now.
  var jsonWithRow: JSONMessage {
    json.with("row", row.map { .object($0.fields.only(Set(conflict.lost.names)).values) })
  }

  /// A value on a line that people read; the JSON has all of it.
  static func text(_ value: Value?) -> String {
    let text = (value ?? .null).json
    return text.count > 60 ? "\(text.prefix(57))..." : text
  }
}

extension ConflictRecord.Reason {
  /// Which side won, and over which.
  var words: String {
    switch self {
    case .remoteWon: "the server's value won"
    case .localWon: "the local value won"
    case .resolved: "the app's resolver chose"
    case .resolverFailed: "the server's value won, because the app's resolver failed"
    case .deletedRemotely: "deleted on the server, edited locally"
    case .editedRemotely: "the local delete won over an edit on the server"
    case .removed: "gone on the server, removed locally"
    case .removedByTrigger: "a trigger of another program removed the row"
    case .duplicateMerged: "one create had made two records"
    }
  }

  /// The side whose value or delete stayed; nil if neither did by itself.
  var winner: String? {
    switch self {
    case .remoteWon, .resolverFailed, .removed: "server"
    case .localWon, .editedRemotely: "local"
    case .resolved: "resolver"
    case .deletedRemotely, .removedByTrigger, .duplicateMerged: nil
    }
  }
}

extension SyncReport {
  /// The conflict records that a run wrote, or would write, and how to see and restore them.
  func conflictLines(isPlan: Bool = false) -> [String] {
    guard !conflicts.isEmpty else { return [] }
    let verb = isPlan ? "would be written" : "were written"
    let counts = conflicts.sorted { $0.key < $1.key }.map { className, reasons in
      let parts = reasons.sorted { $0.key.rawValue < $1.key.rawValue }
        .map { "\($0.value.grouped) (\($0.key.words))" }
      return "\(className): \(parts.joined(separator: ", "))"
    }
    return [
      "Values \(isPlan ? "would be" : "were") overwritten or removed, and conflict records \(verb): "
        + "\(counts.joined(separator: "; ")).",
      "\"ferry conflicts\" lists \(isPlan ? "them after the sync" : "them"), and "
        + "\"ferry restore NUMBER\" brings one back.\(isPlan ? "" : restoringAll)",
    ]
  }

  private var restoringAll: String {
    conflictRun.map { " \"ferry conflicts restore --run \($0)\" brings back all of them." } ?? ""
  }
}
