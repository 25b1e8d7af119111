// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import FerryStore

/// An unsent change, and why it has not gone yet.
struct OutboxLine: Sendable {
  var entry: OutboxEntry

  var text: String {
    var parts = ["\(entry.className) #\(entry.localID)"]
    if let objectID { parts.append(objectID) }
    parts.append(kind)
    if !fields.isEmpty { parts.append(fields.joined(separator: ", ")) }
    return "\(parts.joined(separator: " ")): \(state)\(reason.map { ". \($0)" } ?? "")"
  }

  /// The kind of change and its state, in two words.
  var summary: String { "\(kind), \(state)" }

  var json: JSONMessage {
    JSONMessage(
      "entry",
      [
        "class": .string(entry.className), "local_id": .integer(entry.localID.rawValue),
        "kind": .string(kind), "state": .string(state.replacing(" ", with: "-")),
        "fields": .texts(fields),
        "attempts": .count(entry.attempts.count), "failures": .count(entry.failures),
      ]
    ).with("object_id", objectID.map(Value.string)).with("reason", reason.map(Value.string))
      .with("code", refusal?.code.map(Value.count))
  }

  /// Not shown while only this store knows it.
  var objectID: String? {
    MintedID.matches(entry.objectID) && entry.createdAt == nil ? nil : entry.objectID
  }

  private var kind: String {
    switch entry.kind {
    case .create: "create"
    case .update: "update"
    case .delete: "delete"
    case .deleteAfterCreate: "delete-after-create"
    }
  }

  var fields: [String] {
    entry.kind == .delete || entry.kind == .deleteAfterCreate ? [] : entry.changed.sorted()
  }

  private var state: String {
    switch entry.state {
    case .ready: "ready"
    case .sending, .inDoubt: "in doubt"
    case .parked: "parked"
    case .blocked: "blocked"
    case .confirming: "confirming"
    }
  }

  private var refusal: Refusal? {
    if case .parked(let refusal) = entry.state { refusal } else { nil }
  }

  private var reason: String? {
    if entry.state == .ready, entry.failures > 0 {
      let times = entry.failures == 1 ? "once" : "\(entry.failures) times"
      return "Sending failed \(times)."
    }
    // Found here, what was being sent has no answer to come: the process that sent it may have ended.
    return entry.state == .sending ? OutboxEntry.State.inDoubt.reason : entry.state.reason
  }
}
