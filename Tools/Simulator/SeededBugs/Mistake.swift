// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// A seeded bug, and when the present run began.
struct Mistake {
  let bug: SeededBug
  let runBegan: Timestamp

  /// The entries of an outbox as the mistake has them.
  func changed(_ entries: [OutboxEntry]) throws(StoreError) -> [OutboxEntry] {
    var entries = entries
    if has(.neverAgain) {
      entries.removeAll { if case .inDoubt = $0.state { true } else { false } }
    }
    return has(.intentLost) ? try entries.map(forgotten) : entries
  }

  /// Whether a bug is this one, or a part of it.
  func has(_ other: SeededBug) -> Bool { bug.parts.contains(other) }

  /// An entry of an earlier run as if it had never been sent.
  private func forgotten(_ entry: OutboxEntry) throws(StoreError) -> OutboxEntry {
    guard let last = entry.attempts.last, last.startedAt < runBegan else { return entry }
    do {
      let text = WireJSON.text(of: entry)
      guard case .object(var members)? = Value(wireJSON: text) else { return entry }
      members["state"] = ["ready": [:]]
      members["attempts"] = []
      return try JSONText.note(OutboxEntry.self, from: WireJSON.text(.object(members)))
    } catch {
      throw StoreError(.database, "An entry could not be changed for a seeded bug.", cause: error)
    }
  }
}
