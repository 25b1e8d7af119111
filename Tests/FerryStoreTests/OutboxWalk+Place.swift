// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

@testable import FerryPlanning

extension OutboxWalk.Place {
  typealias Entries = OutboxTransitionsTests

  /// The name of the state in the documented table.
  var name: String { Entries.name(entry.state) }

  var record: Record {
    var record = Entries.row
    record.fields = row ?? [:]
    record.createdAt = entry.createdAt
    return record
  }

  /// The attempt that sends the change; nil where there is nothing to send.
  var attempt: Attempt? {
    let token = entry.foldedThrough
    switch (entry.kind, row) {
    case (.create, .some(let row)), (.update, .some(let row)):
      guard !entry.changed.isEmpty || entry.kind == .create else { return nil }
      return Attempt(
        kind: entry.kind, sent: row.only(entry.changed), token: token, startedAt: Entries.time)
    case (.delete, .none):
      return Attempt(kind: .delete, sent: [:], token: token, startedAt: Entries.time)
    default: return nil
    }
  }

  /// The same place without what decides nothing: how often the app edits and the server fails.
  var canonical: Self {
    var place = self
    for index in place.entry.attempts.indices {
      let isEditedSince = entry.foldedThrough > entry.attempts[index].token
      place.entry.attempts[index].token = HistoryToken(rawValue: isEditedSince ? 0 : 1)
    }
    place.entry.foldedThrough = HistoryToken(rawValue: 1)
    place.entry.failures = FailureStreak()
    return place
  }

  /// All that tells places apart.
  var key: String {
    func text(_ value: Value?) -> String {
      switch value {
      case .none: "-"
      case .integer(let number): "\(number)"
      default: "null"
      }
    }
    let attempts = entry.attempts.map {
      "\($0.kind)\(text($0.sent["f"]))\($0.outcome)\($0.mayStillRun)\($0.token.rawValue)"
    }
    return [
      "\(entry.kind)", stateText, entry.changed.isEmpty ? "" : "f", text(entry.base["f"]),
      entry.createdAt == nil ? "" : "known", entry.clientKey ?? "", "\(attempts)",
      text(entry.withdrawn["f"]), text(entry.lastKnown["f"]),
      text(row?["f"]), row == nil ? "gone" : "",
    ].joined(separator: ",")
  }

  private var stateText: String {
    switch entry.state {
    case .parked(let refusal): "parked \(refusal.reason)"
    default: name
    }
  }
}
