// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The outcome of an undo: what was taken back of each record, and what stays for which reason.
struct UndoText: Sendable {
  var result: UndoResult
  /// When the transaction was written; nil for edits of another program.
  var time: Timestamp?
  /// The place of the undo in history; nil if it changed nothing.
  var undo: HistoryToken?

  var lines: [String] {
    let undone = result.undone.flatMap { ["\(Self.head($0)): taken back"] + $0.reversed.valueLines }
    let kept = result.kept.map { "\(Self.head($0.edit)): stays, because \($0.reason.words)" }
    return undone + kept + [ending]
  }

  private var ending: String {
    let transaction = "the transaction \(result.token.rawValue)" + (time.map { " of \($0)" } ?? "")
    return undo == nil
      ? "Nothing of \(transaction) was taken back. It counts as undone."
      : "Took \(transaction) back. These are local edits, and the next sync sends what differs from the server."
  }

  private static func head(_ edit: RecordEdit) -> String {
    let (record, id) = (edit.record, edit.record.objectID)
    let name = RecordName(
      className: record.className, localID: record.localID, objectID: id.isEmpty ? nil : id)
    let fields = edit.kind == .update ? edit.before.names.joined(separator: ", ") : ""
    return [name.text, edit.kind.word, fields].filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// A line for each edit, and one for all.
  var messages: [JSONMessage] {
    result.undone.map { Self.message($0, nil) }
      + result.kept.map { Self.message($0.edit, $0.reason) }
      + [
        JSONMessage(
          "undone",
          [
            "transaction": .integer(result.token.rawValue),
            "taken_back": .count(result.undone.count), "stayed": .count(result.kept.count),
          ]
        ).with("undo", undo.map { .integer($0.rawValue) })
      ]
  }

  /// The message where there is nothing to undo.
  static let nothing = JSONMessage(
    "undone", ["transaction": .null, "taken_back": .count(0), "stayed": .count(0)])

  private static func message(_ edit: RecordEdit, _ reason: UndoResult.Reason?) -> JSONMessage {
    let id = edit.record.objectID
    return JSONMessage(
      "edit",
      [
        "class": .string(edit.record.className),
        "local_id": .integer(edit.record.localID.rawValue), "kind": .string(edit.kind.word),
        "before": .object(edit.before.values), "after": .object(edit.after.values),
        "taken_back": .boolean(reason == nil),
      ]
    ).with("object_id", id.isEmpty ? nil : .string(id))
      .with("reason", reason.map { .string($0.rawValue) })
  }
}

extension RecordEdit {
  /// The edit that takes this one back.
  fileprivate var reversed: RecordEdit {
    var reversed = self
    (reversed.before, reversed.after) = (after, before)
    switch kind {
    case .insert: reversed.kind = .delete
    case .update: break
    case .delete: reversed.kind = .insert
    }
    return reversed
  }
}

extension UndoResult.Reason {
  /// The reason as a clause.
  fileprivate var words: String {
    switch self {
    case .changedSince: "it was changed since"
    case .rowIsGone: "the row is gone"
    case .rowIsBack: "the row is there again"
    case .valueNoLongerFits: "its field cannot hold the former value"
    case .needsOtherProgram: "ferry.json leaves out fields of the class that the row has"
    }
  }
}
