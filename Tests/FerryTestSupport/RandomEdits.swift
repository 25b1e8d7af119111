// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness

/// Random edits of games, and random states of their changes, which are the same in several stores.
///
/// Some edits are folded, and some are not.
struct RandomEdits {
  private var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  private mutating func happens(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }

  /// Makes edits and folds them, moves their changes on, and makes further edits.
  mutating func make(in stores: [any SyncStore]) throws {
    guard let first = stores.first else { return }
    var deleted: [Record] = []
    for round in 0..<3 {
      let rows = try first.read { try $0.records(of: "Game") }.filter { _ in
        happens(1, in: round == 0 ? 2 : 4)
      }
      let (gone, edited) = (rows.filter { _ in happens(1, in: 6) }, rows)
      let back = deleted.filter { _ in happens(1, in: 2) }
      for store in stores {
        try store.write { db in
          for row in edited { try db.update(row.reference, ["score": .integer(Int64(round % 2))]) }
          for row in gone { try db.delete(row.reference) }
          for row in back { _ = try db.insert("Game", row.fields, objectID: row.objectID) }
        }
      }
      deleted = gone
      if round == 2 { return }
      let states = try moved(in: first)
      for store in stores {
        try store.sync(.full) { transaction throws(StoreError) in
          try transaction.fold()
          try transaction.put(states)
        }
      }
    }
  }

  /// The entries of a store after folding, each in a random state.
  private mutating func moved(in store: any SyncStore) throws -> [OutboxEntry] {
    // Both stores fold to the same entries.
    var entries = try store.syncRead { try $0.pendingEntries(of: "Game") }
    for index in entries.indices { move(&entries[index]) }
    return entries
  }

  private mutating func move(_ entry: inout OutboxEntry) {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0, 1: begin(&entry)
    case 2:
      begin(&entry)
      entry.lose(timedOut: happens(1, in: 2))
    case 3: _ = entry.wait(in: .parked(Refusal(reason: .refused, message: "No.")))
    case 4: _ = entry.wait(in: .blocked(by: .newerVersion))
    case 5: _ = entry.wait(in: .blocked(by: .confirmation("many")))
    case 6: entry.rule = "a rule"
    default: break
    }
  }

  private func begin(_ entry: inout OutboxEntry) {
    guard entry.mayMove else { return }
    entry.begin(
      Attempt(
        kind: entry.kind, sent: [:], token: entry.foldedThrough,
        startedAt: StoreConformance.createdAt))
  }
}
