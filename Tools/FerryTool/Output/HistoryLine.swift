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
      "\(change.token.rawValue)", transaction?.time?.description ?? "-", change.className, rows,
      objectID,
      change.kind.word, "by \(author)\(place)",
    ].compactMap(\.self)
    if edit == nil, !change.fields.isEmpty {
      parts.append(change.fields.sorted().joined(separator: ", "))
    }
    return ([parts.joined(separator: "  ")] + (edit?.valueLines ?? [])).joined(separator: "\n")
  }

  var json: JSONMessage {
    JSONMessage(
      "change",
      [
        "token": .integer(change.token.rawValue), "class": .string(change.className),
        "first_local_id": .integer(change.localIDs.lowerBound.rawValue),
        "last_local_id": .integer(change.localIDs.upperBound.rawValue),
        "kind": .string(change.kind.word),
        "author": .string(author), "fields": .texts(change.fields.sorted()),
      ]
    ).with("time", transaction?.time.map { .string($0.description) })
      .with("transaction", transaction.map { .integer($0.token.rawValue) })
      .with("is_undo", transaction.map { .boolean($0.isUndo) })
      .with("is_undone", transaction.map { .boolean($0.isUndone) })
      .with("object_id", objectID.map(Value.string))
      .with("before", edit.map { .object($0.before.values) })
      .with("after", edit.map { .object($0.after.values) })
  }

  /// The transaction, for `ferry undo`, if its token is another one; and whether it is an undo or undone.
  private var place: String {
    guard let transaction else { return "" }
    return [
      transaction.token == change.token ? nil : " in \(transaction.token.rawValue)",
      transaction.isUndo ? ", as an undo" : nil, transaction.isUndone ? ", undone since" : nil,
    ].compactMap(\.self).joined()
  }

  private var objectID: String? {
    edit.map(\.record.objectID).flatMap { $0.isEmpty ? nil : $0 }
  }

  private var rows: String {
    let (first, last) = (change.localIDs.lowerBound, change.localIDs.upperBound)
    return first == last ? "#\(first)" : "#\(first)-\(last)"
  }

  private var author: String {
    switch change.author {
    case .app: "app"
    case .sync: "sync"
    }
  }
}

extension RecordEdit {
  /// Each value before and after, on a line of its own.
  var valueLines: [String] {
    let names = Set(before.names).union(after.names).sorted()
    // A field without a value says nothing about a row that came or went.
    let changed = names.filter { kind == .update || (before[$0] ?? after[$0]) != .null }
    return changed.map { name in
      let former = ConflictText.text(before.values[name])
      let later =
        after.values[name].map(ConflictText.text) ?? "a value that a sync replaced since"
      switch kind {
      case .insert: return "    \(name): \(later)"
      case .update: return "    \(name): \(later), before \(former)"
      case .delete: return "    \(name): before \(former)"
      }
    }
  }
}

extension Change.Kind {
  var word: String {
    switch self {
    case .insert: "insert"
    case .update: "update"
    case .delete: "delete"
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
