// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// An unsent change on one line, and why it has not gone yet.
struct OutboxLine: Sendable {
  var change: PendingChange
  /// The row as it is now, where its values are shown; nil if it is gone.
  var row: Record?

  /// The change, its state and the reason.
  var text: String {
    let state = state.rawValue.replacing("-", with: " ")
    return "\(record): \(state)\(reason.map { ". \($0)" } ?? "")"
  }

  /// The change and the reason, below a heading that says the state.
  var textBelowState: String { "\(record)\(reason.map { ": \($0)" } ?? "")" }

  private var record: String {
    let name = RecordName(
      className: change.className, localID: change.localID, objectID: change.objectID)
    var parts = [name.text, change.kind.rawValue]
    let fields = change.fields.map { field in
      guard let file = change.files[field] else { return field }
      return "\(field) (\(file.name), \(ReportText.size(file.bytes)))"
    }
    if !fields.isEmpty { parts.append(fields.joined(separator: ", ")) }
    return parts.joined(separator: " ")
  }

  /// The kind of change and its state, in two words.
  var summary: String {
    "\(change.kind.rawValue), \(state.rawValue.replacing("-", with: " "))"
  }

  /// The change, and what it does to each value of the server.
  var linesWithValues: [String] {
    let names = change.kind == .update || change.kind == .create ? change.fields : change.base.names
    let wait = change.nextAttempt.map { ["    not before \($0)"] } ?? []
    return [text] + wait
      + names.map { name in
        let (before, now) = (change.base[name], row?.fields[name])
        let old = ConflictText.text(before)
        switch change.kind {
        case .create: return "    \(name): \(ConflictText.text(now))"
        case .update: return "    \(name): \(ConflictText.text(now)), the server had \(old)"
        case .delete, .deleteAfterCreate: return "    \(name): the server had \(old)"
        }
      }
  }

  /// The same, for programs.
  var jsonWithValues: JSONMessage {
    let values = row?.fields.only(Set(change.fields)).values ?? [:]
    return json.with("values", .object(values)).with("base", .object(change.base.values))
      .with("next_attempt", change.nextAttempt.map { .string($0.description) })
  }

  var json: JSONMessage {
    JSONMessage(
      "entry",
      [
        "class": .string(change.className), "local_id": .integer(change.localID.rawValue),
        "kind": .string(change.kind.rawValue), "state": .string(state.rawValue),
        "fields": .texts(change.fields), "attempts": .count(change.openAttempts),
        "failures": .count(change.failures),
      ]
    ).with("object_id", change.objectID.map(Value.string))
      .with("reason", reason.map(Value.string))
      .with("code", change.serverCode.map(Value.count)).with("files", files)
  }

  /// The new files by field; nil if there are none.
  private var files: Value? {
    guard !change.files.isEmpty else { return nil }
    return .object(
      change.files.mapValues { file in
        [
          "name": .string(file.name), "bytes": .count(file.bytes),
          "sha256": .string(file.sha256), "type": .string(file.type),
        ]
      })
  }

  /// Found here, a request has no answer to come: the process that sent it may have ended.
  private var state: PendingChange.State {
    change.state == .sending ? .inDoubt : change.state
  }

  private var reason: String? {
    guard change.state == .ready, change.failures > 0 else { return change.reason }
    return "Sending failed \(change.failures == 1 ? "once" : "\(change.failures) times")."
  }
}
