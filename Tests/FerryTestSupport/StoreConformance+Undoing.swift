// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let undoing: [StoreCheck] = [
    StoreCheck("an insert, an edit and a delete are undone and done again") { store in
      let known = try store.importGame("a", ["title": "A", "rating": 1.5])
      let doomed = try store.importGame("b", ["title": "B", "score": .null])
      let before = try store.read { try $0.records(of: "Game") }
      try store.write { db in
        try db.insert("Game", ["title": "new"])
        try db.update("Game", known, ["title": "once"])
        try db.update("Game", known, ["title": "twice", "rating": nil])
        try db.update("Game", doomed, ["title": "edited"])
        try db.delete("Game", doomed)
      }
      let after = try store.read { try $0.records(of: "Game") }
      for isFolded in [false, true, false] {
        if isFolded { try store.fold() }
        let undone = try #require(try store.undo())
        #expect(undone.kept.isEmpty)
        #expect(undone.undone.map(\.kind) == [.insert, .update, .delete])
        #expect(undone.undone[1].before == ["title": "A", "rating": 1.5])
        #expect(undone.undone[1].after == ["title": "twice", "rating": .null])
        #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.isEmpty)
        try store.fold()
        #expect(try store.read { try $0.records(of: "Game") } == before)
        #expect(try store.undo() == nil, "what a sync did is nobody's to undo")
        let redone = try #require(try store.redo())
        #expect(redone.kept.isEmpty)
        #expect(try store.read { try $0.records(of: "Game") }.contents == after.contents)
        #expect(try store.redo() == nil)
      }
    },
    StoreCheck("an edit is undone though another record succeeds the one of the row") { store in
      let game = try store.importGame("g1", ["title": "before"])
      try store.write { try $0.update("Game", game, ["title": "edited"]) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.redirect(from: "g1", to: "g2", of: "Game")
      }
      let undone = try #require(try store.undo())
      #expect(undone.kept.isEmpty)
      #expect(undone.undone.map(\.record.objectID) == ["g1"])
      #expect(try store.game(game)?["title"] == "before")
    },
    StoreCheck("transactions are undone from the newest back, until the app edits again") { store in
      let game = try store.write { try $0.insert("Game", ["title": "0"]) }
      for title in ["1", "2", "3"] {
        try store.write { try $0.update(game, ["title": .string(title)]) }
      }
      func title() throws -> Value? { try store.game(game.localID)?["title"] }
      for expected in ["2", "1", "0"] {
        #expect(try store.undo() != nil)
        #expect(try title() == .string(expected))
      }
      #expect(try store.redo() != nil)
      #expect(try title() == "1")
      #expect(try store.redo() != nil)
      #expect(try title() == "2")
      #expect(try store.undo() != nil)
      #expect(try title() == "1")
      try store.write { try $0.update(game, ["title": "new"]) }
      #expect(try store.redo() == nil, "an edit ends what can be redone")
      for expected in ["1", "0"] {
        #expect(try store.undo() != nil)
        #expect(try title() == .string(expected))
      }
      #expect(try store.undo() != nil)
      #expect(try title() == nil)
      #expect(try store.undo() == nil)
    },
    StoreCheck("an undo keeps values that a sync has changed since, and says so") { store in
      let known = try store.importGame("a", ["title": "A", "rating": 1])
      let gone = try store.importGame("b", ["title": "B"])
      let new = try store.write { db in
        try db.update("Game", known, ["title": "mine", "rating": 2])
        try db.update("Game", gone, ["title": "mine"])
        return try db.insert("Game", ["title": "new"])
      }
      try store.sync(.full) { db in
        try db.set(["title": "theirs"], of: "Game", localID: known)
        try db.set(["rating": 5], of: "Game", localID: new.localID)
        try db.remove([gone], from: "Game")
      }
      let last = try #require(try store.read { try $0.undoableTransaction() })
      let result = try #require(try store.undo())
      #expect(result.undone.map(\.before) == [["rating": 1]])
      #expect(
        result.kept.map(\.reason) == [.changedSince, .rowIsGone, .changedSince])
      #expect(result.kept[0].edit.before == ["title": "A"])
      #expect(
        result.kept[0].edit.after == [:], "a sync's value replaced it, and history does not keep it"
      )
      #expect(try store.game(known)?["title"] == "theirs")
      #expect(try store.game(known)?["rating"] == 1)
      #expect(try store.game(new.localID)?["rating"] == 5)
      expectStoreError(.cannotUndo) { try store.write { try $0.undo(last) } }
      #expect(try store.undo() == nil, "the call goes further back, also where rows were kept")
    },
    StoreCheck("nobody undoes what a sync did, or what history has dropped") { store in
      _ = try store.importGame("a", ["title": "A"])
      let page = try store.read {
        try $0.transactions(after: .start, matching: HistoryFilter(), limit: 10)
      }
      #expect(page.transactions.map(\.authors) == [[.sync]])
      let synced = try #require(page.transactions.first)
      expectStoreError(.cannotUndo) { try store.write { try $0.undo(synced) } }
      try store.write { try $0.insert("Game", ["title": "B"]) }
      let old = try #require(try store.read { try $0.undoableTransaction() })
      try store.fold()
      try store.importRows("League", [importRow("League", "l", [:])])
      _ = try store.sync(.full) { try $0.pruneHistory(keeping: .init(since: .latest), limit: .max) }
      expectStoreError(.historyPruned) { try store.write { try $0.undo(old) } }
      #expect(try store.undo() == nil)
      #expect(try store.read { try $0.count(of: "Game") } == 2)
    },
    StoreCheck(
      "a private record that comes back by undo is private, after its delete was sent, too"
    ) { store in
      for isSent in [false, true] {
        let game = try store.importGame(isSent ? "a" : "b")
        try store.write { try $0.delete("Game", game) }
        try store.fold()
        if isSent { try store.sync(.full) { try $0.removeOutboxEntry(of: "Game", localID: game) } }
        #expect(try store.undo()?.undone.count == 1)
        try store.fold()
        #expect(try store.game(game)?.acl == acl)
      }
    },
    StoreCheck("a record that the server has named since comes back under its new id") { store in
      let (league, game) = try store.write { db in
        let league = try db.insert("League", ["name": "North"])
        return (league, try db.insert("Game", ["league": .pointer(league)]))
      }
      try store.fold()
      for row in [league, game] { try store.begin(row) }
      #expect(try store.undo()?.undone.count == 2)
      try store.sync(.full) { db in
        for (row, id) in [(league, "s1"), (game, "s2")] {
          try db.acknowledgeCreate(
            of: row.className, localID: row.localID, objectID: id, createdAt: createdAt)
        }
      }
      #expect(try store.redo()?.undone.count == 2)
      let back = try #require(try store.read { try $0.records(of: "Game") }.first)
      #expect(back.objectID == "s2")
      #expect(back["league"] == .pointer(Pointer(className: "League", objectID: "s1")))
      #expect(try store.read { try $0.record(of: "League", objectID: "s1") } != nil)
    },
    StoreCheck("an edit that wrote a pointer by a former id is undone") { store in
      let league = try store.write { try $0.insert("League", [:]) }
      try store.sync(.full) { db throws(StoreError) in
        try db.fold()
        try db.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
      }
      // The app has kept the reference, and nothing has set the pointers right yet.
      let game = try store.write { try $0.insert("Game", ["league": .pointer(league)]) }
      #expect(try store.undo()?.kept == [])
      #expect(try store.game(game.localID) == nil)
      let known = try store.importGame("a", ["title": "A"])
      try store.write { try $0.update("Game", known, ["league": .pointer(league)]) }
      #expect(try store.undo()?.kept == [])
      #expect(try store.game(known)?["league"] == .null)
    },
    StoreCheck("what the app knew of a deleted record is kept as long as its delete") { store in
      let row = try store.importGame("g1", ["title": "Final"])
      try store.write { try $0.delete("Game", row) }
      try store.sync(.full) { db throws(StoreError) in
        try db.fold()
        try db.remember(row, objectID: "g1", of: "Game", lastKnown: ["title": "Final"])
        try db.removeOutboxEntry(of: "Game", localID: row)
      }
      #expect(try store.undo() != nil)
      try store.write { try $0.update("Game", row, ["title": "The final"]) }
      try store.sync(.full) { db throws(StoreError) in
        try db.fold()
        let entry = try db.outboxEntries(of: "Game", objectIDs: ["g1"]).first
        #expect(entry?.kind == .create && entry?.lastKnown == ["title": "Final"])
        let ids = ["g0", "g1"]
        #expect(try db.lastKnownFields(of: "Game", objectIDs: ids) == ["g1": ["title": "Final"]])
        _ = try db.pruneHistory(keeping: .init(since: .latest), limit: .max)
        #expect(try db.lastKnownFields(of: "Game", objectIDs: ids).isEmpty)
      }
    },
    StoreCheck("an undo in a transaction that ends with an error has undone nothing") { store in
      try store.write { try $0.insert("Game", ["title": "A"]) }
      expectStoreError(.noSuchRecord) {
        try store.write { db in
          let last = try #require(try db.undoableTransaction())
          #expect(try db.undo(last).undone.count == 1)
          try db.delete("Game", LocalID(rawValue: 99))
        }
      }
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      #expect(try store.undo() != nil)
      #expect(try store.read { try $0.count(of: "Game") } == 0)
    },
  ]

  static let undoingWorlds: [StoreCheck] = [
    StoreCheck(making: "random transactions are all undone and all done again") { make in
      for seed in 1...20 {
        var world = UndoingWorld(store: try make(schema), seed: UInt64(seed))
        try world.run(transactions: 25)
      }
    }
  ]
}

extension [Record] {
  /// The rows by object id, without what only a listing's order says.
  fileprivate var contents: [String: Record] {
    Dictionary(map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
