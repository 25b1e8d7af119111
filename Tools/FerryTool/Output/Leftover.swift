// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// A change or record that a person may have to know about, and why it is left.
struct Leftover: Sendable, Equatable {
  enum Kind: String, Sendable, CaseIterable {
    case failed, parked, blocked, held, kept, quarantined, refused
    case inDoubt = "in-doubt"

    /// The meaning of the kind, and its end.
    var explanation: String {
      switch self {
      case .failed: "Failed: a class is left out until a sync downloads it again"
      case .parked:
        "Parked: a change is not sent again until its row is edited or \"ferry outbox retry\" asks for it, or until you "
          + "answer the question that its line asks. Setting a value and setting it back is an edit; setting the same "
          + "value is not"
      case .blocked: "Blocked: a change waits for another record, or for what its line says"
      case .held:
        "Held back: removals or deletes wait until you confirm them, or until few enough are left. To take deletes of your own "
          + "back: \"ferry outbox discard --all --class NAME\". Where records are gone on the server, find out what happened "
          + "there; their rows stay until you confirm"
      case .kept:
        "Kept: a record is gone on the server, and a rule that another program added to its table keeps the "
          + "row. Drop the rule; each sync tries to remove the row"
      case .quarantined:
        "Quarantined: a record of the server does not fit ferry.json. Correct it on the server, or give its "
          + "field the type and another \"column\" in ferry.json; the next sync tries it again"
      case .refused:
        "Refused: a rule that another program added to its table keeps a record of the server out. Drop the "
          + "rule, or let it take what the server sends; each sync tries the record again"
      case .inDoubt: "In doubt: a change was sent, and the server's answer is missing"
      }
    }
  }

  var kind: Kind
  var className: String
  /// How many records it concerns.
  var count = 1
  /// The record and the reason, on one line.
  var line: String
  var objectID: String?
  var localID: LocalID?

  /// An unsent change that has more to say than that the next sync sends it; nil for any other.
  init?(_ change: PendingChange) {
    // All deletes that are held back are one leftover.
    guard let kind = change.state.leftover, kind != .held else { return nil }
    self.kind = kind
    let line = OutboxLine(change: change)
    self.line = line.textBelowState
    className = change.className
    objectID = change.objectID
    localID = change.localID
  }

  init(_ record: QuarantinedRecord) {
    kind = record.isRefusedByStore ? .refused : .quarantined
    className = record.className
    objectID = record.objectID
    line = "\(record.className) \(record.objectID): \(record.reason)"
  }

  init(_ kept: KeptRow) {
    kind = .kept
    className = kept.row.className
    objectID = kept.row.objectID
    localID = kept.row.localID
    let name = RecordName(className: className, localID: localID, objectID: objectID)
    line = "\(name.text): Kept by \(kept.rule)."
  }

  /// A class that the last run failed at.
  init(className: String, failure: String) {
    kind = .failed
    self.className = className
    line = failure
  }

  init(_ removal: GuardedRemoval) {
    kind = .held
    className = removal.className
    count = removal.count
    line = removal.text
  }

  var json: Value {
    var members: [String: Value] = [
      "kind": .string(kind.rawValue), "class": .string(className), "count": .count(count),
      "text": .string(line),
    ]
    if let objectID { members["object_id"] = .string(objectID) }
    if let localID { members["local_id"] = .integer(localID.rawValue) }
    return .object(members)
  }

  /// The leftovers by kind, with at most `limit` lines each.
  static func lines(_ leftovers: [Leftover], limit: Int = 10) -> [String] {
    Kind.allCases.flatMap { kind -> [String] in
      let group = leftovers.filter { $0.kind == kind }
      guard !group.isEmpty else { return [] }
      let more = group.count - min(group.count, limit)
      return ["\(kind.explanation)."] + group.prefix(limit).map { "  \($0.line)" }
        + (more > 0 ? ["  ... and \(more.grouped) more"] : [])
    }
  }
}

extension PendingChange.State {
  /// The kind of leftover that a change in this state is; nil if the next sync sends it.
  var leftover: Leftover.Kind? {
    switch self {
    case .parked: .parked
    case .blocked: .blocked
    case .heldBack: .held
    case .sending, .inDoubt: .inDoubt
    case .ready: nil
    }
  }
}

extension GuardedRemoval {
  /// The set that is held back, and the command that lets it pass.
  var text: String {
    let verb = side == .local ? "removed locally" : "deleted on the server"
    guard count <= total else {
      let left = total == 0 ? "no row is" : total.counted("row is", "rows are")
      return
        "\(count.grouped) \(className) are gone on the server, and local rows of them were deleted too: "
        + "\(left) left. To settle all of them: ferry sync --confirm \(confirmation)"
    }
    let share =
      count < total
      ? "\(count.grouped) of \(total.grouped)" : count == 1 ? "The only" : "All \(count.grouped)"
    return
      "\(share) \(className) would be \(verb). To confirm: ferry sync "
      + "--confirm \(confirmation)"
  }
}
