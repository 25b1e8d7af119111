// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let discarding: [StoreCheck] = [
    StoreCheck("discarding an insert, an edit and a delete leaves what the server has") { store in
      let known = try store.importGame("a", ["title": "A", "rating": 1.5])
      let doomed = try store.importGame("b", ["title": "B", "score": .null])
      let before = try store.read { try $0.records(of: "Game") }
      for isFolded in [false, true] {
        let new = try store.write { try $0.insert("Game", ["title": "new"]) }
        try store.write { try $0.update("Game", known, ["title": "edited", "rating": nil]) }
        try store.write { try $0.update("Game", doomed, ["title": "edited", "score": 2]) }
        try store.write { try $0.delete("Game", doomed) }
        if isFolded { try store.fold() }
        #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 3])
        for localID in [new.localID, known, doomed] {
          #expect(try store.write { try $0.discardChange(of: "Game", localID: localID) })
        }
        #expect(try store.syncRead { try $0.pendingCounts() }.isEmpty)
        #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.isEmpty)
        try store.fold()
        // The row comes back under its local id, with its version and without the default of the score.
        #expect(try store.read { try $0.records(of: "Game") } == before)
        #expect(try store.write { try $0.discardChange(of: "Game", localID: known) } == false)
      }
    },
    StoreCheck("a count leaves out edits that lead back and rows that left again") { store in
      let known = try store.importGame("a", ["title": "A", "rating": 1.5])
      let doomed = try store.importGame("b", ["title": "B"])
      let (new, gone) = try store.write { db throws(StoreError) in
        try db.update("Game", known, ["title": "edited"])
        try db.update("Game", known, ["title": "A"])
        let new = try db.insert("Game", ["title": "new"])
        try db.update("Game", new.localID, ["title": "newer"])
        let gone = try db.insert("Game", ["title": "gone"])
        try db.delete("Game", gone.localID)
        return (new, gone)
      }
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 1])
      // A new row takes the place of a record that the app has deleted: one record, one update.
      try store.write { db in
        try db.delete("Game", doomed)
        try db.insert("Game", ["title": "again"], objectID: "b")
        try db.insert("Game", ["title": "back"], objectID: gone.objectID)
      }
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 3])
      try store.fold()
      try store.write { try $0.update("Game", new.localID, ["title": "newest"]) }
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 3])
    },
    StoreCheck("all changes of a class are discarded at once") { store in
      let known = try store.importGame("a", ["title": "A"])
      try store.write { db in
        for number in 1...600 { try db.insert("Game", ["title": .string("\(number)")]) }
        try db.update("Game", known, ["title": "edited"])
        try db.insert("League", ["name": "North"])
      }
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 601, "League": 1])
      #expect(try store.write { try $0.discardChanges(of: "Game") } == 601)
      #expect(try store.syncRead { try $0.pendingCounts() } == ["League": 1])
      #expect(try store.write { try $0.discardChanges(of: nil) } == 1)
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      #expect(try store.game(known)?["title"] == "A")
    },
    StoreCheck("a change whose outcome is unknown is not discarded") { store in
      let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
      try store.fold()
      try store.begin(game)
      for step in 0..<2 {
        expectStoreError(.beingSent) {
          try store.write { try $0.discardChange(of: "Game", localID: game.localID) }
        }
        #expect(try store.write { try $0.discardChanges(of: nil) } == 0)
        #expect(try store.game(game.localID)?["title"] == "Final")
        if step == 0 { try store.change(game) { $0.lose(timedOut: true) } }
      }
      expectStoreError(.unknownClass) {
        try store.write { try $0.discardChange(of: "Nothing", localID: game.localID) }
      }
      expectStoreError(.unknownClass) { try store.write { try $0.discardChanges(of: "Nothing") } }
    },
    StoreCheck("a transaction that ends with an error has discarded nothing") { store in
      let known = try store.importGame("a", ["title": "A"])
      try store.write { try $0.update("Game", known, ["title": "edited"]) }
      expectStoreError(.noSuchRecord) {
        try store.write { db in
          #expect(try db.discardChanges(of: nil) == 1)
          try db.delete("Game", LocalID(rawValue: 99))
        }
      }
      #expect(try store.game(known)?["title"] == "edited")
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 1])
    },
    StoreCheck("a parked change is discarded, or sent again when the app asks for it") { store in
      let known = try store.importGame("a", ["title": "A"])
      let other = try store.importGame("b", ["title": "B"])
      let row = try #require(try store.game(known)).reference
      try store.write { try $0.update("Game", known, ["title": "edited"]) }
      try store.write { try $0.update("Game", other, ["title": "edited"]) }
      try store.fold()
      #expect(try store.retryChanges() == 0, "ready changes go in any case")
      let refusal = Refusal(reason: .refused, code: 142, message: "The title is bad.")
      try store.change(row) { _ = $0.wait(in: .parked(refusal)) }
      #expect(try store.retryChange(of: "Game", localID: other) == false)
      #expect(try store.retryChanges(of: "League") == 0)
      #expect(try store.retryChange(of: "Game", localID: known))
      #expect(
        try store.syncRead { try $0.pendingEntries(of: nil) }.allSatisfy { $0.state == .ready })
      try store.change(row) { _ = $0.wait(in: .parked(refusal)) }
      #expect(try store.retryChanges() == 1)
      try store.change(row) { _ = $0.wait(in: .parked(refusal)) }
      #expect(try store.write { try $0.discardChange(of: "Game", localID: known) })
      #expect(try store.game(known)?["title"] == "A")
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 1])
      try store.fold()
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 1])
    },
    StoreCheck("counts of unsent changes leave out what only waits for a late attempt") { store in
      let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
      try store.fold()
      try store.begin(game)
      try store.change(game) { $0.lose(timedOut: true) }
      // A second attempt is answered, so the first one may still commit late.
      let fields: Fields = ["title": "Final", "score": 0]
      try store.change(game) { entry in
        entry.begin(Attempt(kind: .create, sent: fields, token: .start, startedAt: createdAt))
        _ = entry.acknowledge(answer: [:], version: nil, createdAt: createdAt, current: fields)
      }
      #expect(try store.entries().map(\.state) == [.confirming])
      #expect(try store.syncRead { try $0.pendingCounts() }.isEmpty)
      try store.change(game) { $0.rule = "the trigger \"keep\"" }
      #expect(try store.syncRead { try $0.pendingCounts() } == ["Game": 1])
    },
  ]
}

extension SyncStore {
  /// Changes the entry of a row, as the engine does.
  fileprivate func change(
    _ row: RecordReference, _ body: (inout OutboxEntry) -> Void
  ) throws {
    try sync(.full) { transaction in
      var entry = try #require(
        try transaction.outboxEntries(of: row.className, localIDs: [row.localID]).first)
      body(&entry)
      try transaction.put(entry)
    }
  }

  func begin(_ row: RecordReference) throws {
    try change(row) {
      $0.begin(
        Attempt(
          kind: $0.kind, sent: [:], token: $0.foldedThrough,
          startedAt: StoreConformance.createdAt))
    }
  }
}
