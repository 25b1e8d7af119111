// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Unsent changes of one record, with attempts of every outcome.
enum GeneratedEntry {
  static let created = Timestamp(milliseconds: 1_000)
  static let version = ServerVersion(rawValue: "v1")
  /// After every attempt, and within the maximum request duration of some.
  static let now = Timestamp(milliseconds: 150_000)
  static let maximumRequestDuration = Duration.seconds(120)

  static func row(_ fields: Fields) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", fields: fields,
      createdAt: created, version: version)
  }

  /// The edits that made the row of what the server held.
  static func update(
    of row: Record, base: Fields, _ chance: inout SeededGenerator
  ) -> OutboxEntry {
    var entry = OutboxEntry(editing: row, foldedThrough: HistoryToken(rawValue: 2))
    var edited = row.fields.difference(from: base)
    if chance.one(in: 4) { edited.formUnion(GeneratedFields.subset(&chance)) }
    var attempts: [Attempt] = []
    if chance.one(in: 3) {
      for _ in 0...chance.number(below: 2) {
        let attempt = attempt(.update, GeneratedFields.make(&chance), &chance)
        edited.formUnion(attempt.sent.values.keys)
        attempts.append(attempt)
      }
    }
    var old = Fields()
    for name in edited { old[name] = base[name] ?? .null }
    entry.overwrite(old)
    if chance.one(in: 4) {
      entry.rewritten = GeneratedFields.subset(&chance).intersection(edited)
    }
    for attempt in attempts {
      entry.begin(attempt)
      entry.lose(timedOut: chance.one(in: 2))
    }
    return entry
  }

  static func attempt(
    _ kind: OutboxEntry.Kind, _ sent: Fields, _ chance: inout SeededGenerator
  ) -> Attempt {
    Attempt(
      kind: kind, sent: sent, token: HistoryToken(rawValue: Int64(chance.number(below: 4))),
      startedAt: Timestamp(milliseconds: Int64(chance.number(below: 100_000))))
  }
}
