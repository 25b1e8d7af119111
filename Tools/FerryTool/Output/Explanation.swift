// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A record as it is in the store and on the server, and the actions that a sync would take on it.
struct Explanation: Sendable {
  /// The greatest number of conflict records to show.
  static let mostConflicts = 3

  var className: String
  /// The id by which it was asked for.
  var id: String
  /// Whether the record is a member of a relation, which the server knows as a pair of ids.
  var isMember = false
  /// Nil if there is no row.
  var row: Record?
  var change: PendingChange?
  var quarantined: QuarantinedRecord?
  /// The newest conflict records of the record, newest first.
  var conflicts: [ConflictRecord] = []
  var actions: [SyncAction] = []

  private var localID: LocalID? { row?.localID ?? change?.localID }
  /// The id by which the server knows the record, if it knows it.
  var remoteID: String { objectID ?? id }
  private var objectID: String? { row?.objectID ?? change?.objectID ?? quarantined?.objectID }

  /// Whether an action of a plan concerns the record.
  func isNamed(by action: SyncAction) -> Bool {
    guard action.className == className else { return false }
    if let localID, action.localID == localID { return true }
    return action.objectID != nil && (action.objectID == objectID || action.objectID == id)
  }

  /// The row, its unsent change, and what else the store knows of the record.
  var lines: [String] {
    let name = RecordName(className: className, localID: localID, objectID: objectID ?? id)
    guard let row else {
      return ["\(name.text): no row is here."] + stateLines
    }
    return ["\(name.text), \(standing(of: row))"]
      + row.fields.names.map { "    \($0): \(ConflictText.text(row.fields[$0]))" } + stateLines
  }

  /// The version of the row, or why it has none.
  private func standing(of row: Record) -> String {
    if row.createdAt == nil { return "not on the server yet" }
    if isMember { return "a member, which has no version of its own" }
    // The answer to a create has no version; the next download brings it.
    return row.version.map { "version \($0.rawValue)" } ?? "version not yet downloaded"
  }

  private var stateLines: [String] {
    var lines: [String] = []
    if let change {
      lines += ["Unsent:"] + OutboxLine(change: change, row: row).linesWithValues.map { "  \($0)" }
    } else {
      lines.append("Nothing is unsent.")
    }
    if let quarantined {
      lines.append("The server's version is in quarantine: \(quarantined.reason)")
    }
    if !conflicts.isEmpty {
      lines.append("Lost values:")
      lines += conflicts.flatMap { ConflictText(conflict: $0).lines.map { "  \($0)" } }
    }
    return lines
  }

  /// The actions of the next sync on the record, and their reasons.
  var actionLines: [String] {
    guard !actions.isEmpty else { return ["The next sync does nothing with it."] }
    return ["The next sync:"]
      + actions.map { action in
        let fields = action.fields.isEmpty ? "" : " \(action.fields.joined(separator: ", "))"
        return "    \(action.stage.rawValue): \(action.kind.meaning)\(fields)"
          + (action.reason.map { ". \($0)" } ?? ".")
      }
  }

  var json: JSONMessage {
    JSONMessage("explanation", ["class": .string(className), "id": .string(id)])
      .with("local_id", localID.map { .integer($0.rawValue) })
      .with("object_id", objectID.map(Value.string))
      .with("version", isMember ? nil : row?.version.map { .string($0.rawValue) })
      .with("values", row.map { .object($0.fields.values) })
      .with("unsent", change.map { .string($0.kind.rawValue) })
      .with("state", change.map { .string($0.state.rawValue) })
      .with("base", change.map { .object($0.base.values) })
      .with("reason", change?.reason.map(Value.string))
      .with("quarantined", quarantined.map { .string($0.reason) })
      .with("conflicts", .array(conflicts.compactMap { $0.id.map(Value.integer) }))
  }
}
