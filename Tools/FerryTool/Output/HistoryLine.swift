// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A change in history, with what the store keeps about it.
struct HistoryLine: Sendable {
  var change: Change
  /// The transaction that made it.
  var transaction: HistoryTransaction?
  /// The values; nil for a change of a sync.
  var edit: RecordEdit?

  /// The change on one line, and each value on a line of its own.
  var text: String {
    var parts = [
      "\(change.token.rawValue)", transaction?.time?.description, change.className, rows, objectID,
      kind, "by \(author)",
    ].compactMap(\.self)
    if edit == nil, !change.fields.isEmpty {
      parts.append(change.fields.sorted().joined(separator: ", "))
    }
    return ([parts.joined(separator: "  ")] + values).joined(separator: "\n")
  }

  private var values: [String] {
    guard let edit else { return [] }
    let names = Set(edit.before.names).union(edit.after.names).sorted()
    let changed = names.filter { edit.before[$0] != .null || edit.after[$0] != .null }
    return changed.map { name in
      let before = ConflictText.text(edit.before.values[name])
      let after =
        edit.after.values[name].map(ConflictText.text) ?? "a value that a sync replaced since"
      switch edit.kind {
      case .insert: return "    \(name): \(after)"
      case .update: return "    \(name): \(after), before \(before)"
      case .delete: return "    \(name): before \(before)"
      }
    }
  }

  var json: JSONMessage {
    JSONMessage(
      "change",
      [
        "token": .integer(change.token.rawValue), "class": .string(change.className),
        "first_local_id": .integer(change.localIDs.lowerBound.rawValue),
        "last_local_id": .integer(change.localIDs.upperBound.rawValue), "kind": .string(kind),
        "author": .string(author), "fields": .texts(change.fields.sorted()),
      ]
    ).with("time", transaction?.time.map { .string($0.description) })
      .with("transaction", transaction.map { .integer($0.token.rawValue) })
      .with("object_id", objectID.map(Value.string))
      .with("before", edit.map { .object($0.before.values) })
      .with("after", edit.map { .object($0.after.values) })
  }

  private var objectID: String? {
    edit.map(\.record.objectID).flatMap { $0.isEmpty ? nil : $0 }
  }

  private var rows: String {
    let (first, last) = (change.localIDs.lowerBound, change.localIDs.upperBound)
    return first == last ? "#\(first)" : "#\(first)-\(last)"
  }

  private var kind: String {
    switch change.kind {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
    }
  }

  private var author: String {
    switch change.author {
    case .app: "app"
    case .sync: "sync"
    }
  }
}

extension StoreReader {
  /// The lines of changes, which come in the order of their tokens.
  func lines(of changes: [Change]) throws(StoreError) -> [HistoryLine] {
    guard let first = changes.first else { return [] }
    let before = HistoryToken(rawValue: first.token.rawValue - 1)
    let transactions = try transactions(after: before, matching: HistoryFilter(), limit: .max)
      .transactions
    let edits = try edits(of: changes)
    var rest = transactions[...]
    return changes.map { change in
      rest = rest.drop { $0.token < change.token }
      return HistoryLine(change: change, transaction: rest.first, edit: edits[change.token])
    }
  }
}
