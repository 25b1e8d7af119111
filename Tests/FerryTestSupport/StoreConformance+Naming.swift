// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  private static func pointer(_ objectID: String, _ className: String = "League") -> Value {
    .pointer(Pointer(className: className, objectID: objectID))
  }

  static let naming: [StoreCheck] = [
    StoreCheck("a minted id that the server replaces is replaced everywhere in one go") { store in
      let parent = try store.write { try $0.insert("League", ["name": "n"]) }
      let minted = parent.objectID
      let known = try store.importGame("s1", ["title": "k"])
      let game = try store.write { transaction in
        try transaction.update("League", parent.localID, ["parent": pointer(minted)])
        try transaction.update("Game", known, ["league": pointer(minted)])
        return try transaction.insert(
          "Game",
          [
            "league": pointer(minted), "moves": [1, pointer(minted), ["deep": [pointer(minted)]]],
            "details": ["league": pointer(minted), "team": pointer(minted, "Team")],
          ])
      }
      try store.sync(.full) { transaction in
        try transaction.fold()
        var entry = try #require(
          try transaction.outboxEntries(of: "Game", localIDs: [known]).first)
        entry.persist(onto: ["league": pointer(minted)], version: version)
        entry.begin(
          Attempt(
            kind: .update, sent: ["league": [pointer(minted)]], token: .start,
            startedAt: createdAt))
        try transaction.put(entry)
        try transaction.acknowledgeCreate(
          of: "League", localID: parent.localID, objectID: "l1", createdAt: createdAt)
      }
      let row = try #require(
        try store.read { try $0.record(of: "League", localID: parent.localID) })
      #expect(row.objectID == "l1")
      #expect(row.createdAt == createdAt)
      #expect(row.version == nil, "only an import stores a version")
      #expect(row["parent"] == pointer("l1"))
      #expect(try store.game(known)?["league"] == pointer("l1"))
      let child = try #require(try store.game(game.localID))
      #expect(child["league"] == pointer("l1"))
      #expect(child["moves"] == [1, pointer("l1"), ["deep": [pointer("l1")]]])
      #expect(child["details"] == ["league": pointer("l1"), "team": pointer(minted, "Team")])
      #expect(try store.entry("League", parent.localID)?.objectID == "l1")
      let entry = try #require(try store.entry("Game", known))
      #expect(entry.base["league"] == pointer("l1"))
      #expect(entry.attempts.first?.sent["league"] == [pointer("l1")])
      #expect(try store.syncRead { try $0.log(after: $0.foldedThrough()) }.isEmpty)
      let found = try store.read { try $0.record(of: "League", objectID: minted) }
      #expect(found?.localID == parent.localID, "a minted id still finds its row")
      #expect(try store.syncRead { try $0.aliases(of: [minted, "l1"]) } == [minted: "l1"])
      #expect(
        try store.read { try $0.count(of: "Game", where: .field("league", .equal, pointer("l1"))) }
          == 2)
    },
    StoreCheck("many new rows are named at once, with the pointers to them") { store in
      let (plain, kept, target, child) = try store.write { db in
        let target = try db.insert("League", ["name": "target"])
        return (
          try db.insert("League", ["name": "plain"]), try db.insert("League", ["name": "kept"]),
          target, try db.insert("League", ["games": [pointer(target.objectID)]])
        )
      }
      let gone = try store.write { try $0.insert("League", ["name": "gone"]) }
      try store.sync(.full) { try $0.fold() }
      try store.write { try $0.delete(gone) }
      func binding(_ row: RecordReference, _ objectID: String) -> RowBinding {
        RowBinding(
          key: RecordKey(className: "League", localID: row.localID), from: row.objectID,
          to: objectID, createdAt: createdAt)
      }
      let isReplaced = try store.sync(.full) { transaction in
        try transaction.fold()
        let first = try transaction.bindNewRows(
          [binding(plain, "l1"), binding(kept, kept.objectID), binding(gone, "l3")])
        let second = try transaction.bindNewRows([binding(target, "l2")])
        return [first, second]
      }
      #expect(isReplaced == [false, true])
      let rows = try store.read { try $0.records(of: "League") }
      #expect(rows.map(\.objectID) == ["l2", "l1", kept.objectID, child.objectID])
      #expect(rows.map(\.createdAt) == [createdAt, createdAt, createdAt, nil])
      #expect(rows[3]["games"] == [pointer("l2")])
      let ids = [plain, kept, target, gone].map(\.objectID)
      try store.syncRead { (reader) throws -> Void in
        #expect(try reader.acknowledgedCount(of: "League") == 3)
        #expect(
          try reader.aliases(of: ids) == [ids[0]: "l1", ids[2]: "l2", ids[3]: "l3"])
        #expect(try reader.log(after: reader.foldedThrough()).isEmpty)
      }
    },
    StoreCheck("an id that the server keeps stays") { store in
      let league = try store.write { try $0.insert("League", ["name": "n"]) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: league.objectID, createdAt: createdAt)
      }
      let row = try store.read { try $0.record(of: "League", localID: league.localID) }
      #expect(row?.objectID == league.objectID)
      #expect(row?.createdAt == createdAt)
      #expect(try store.syncRead { try $0.aliases(of: [league.objectID]) }.isEmpty)
    },
    StoreCheck("a row that is gone is named all the same") { store in
      let league = try store.write { try $0.insert("League", ["name": "n"]) }
      let game = try store.write { try $0.insert("Game", ["league": .pointer(league)]) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        var entry = try #require(
          try transaction.outboxEntries(of: "League", localIDs: [league.localID]).first)
        entry.begin(
          Attempt(kind: .create, sent: ["name": "n"], token: .start, startedAt: createdAt))
        try transaction.put(entry)
      }
      try store.write { try $0.delete(league) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
      }
      let entry = try #require(try store.entry("League", league.localID))
      #expect(entry.kind == .deleteAfterCreate)
      #expect(entry.objectID == "l1")
      #expect(try store.game(game.localID)?["league"] == pointer("l1"))
      expectStoreError(.noSuchRecord) {
        try store.sync(.full) {
          try $0.acknowledgeCreate(
            of: "League", localID: LocalID(rawValue: 99), objectID: "x", createdAt: createdAt)
        }
      }
    },
    StoreCheck("an id that is replaced twice is found by both") { store in
      let league = try store.write { try $0.insert("League", ["name": "n"]) }
      for objectID in ["l1", "l2"] {
        try store.sync(.full) { transaction in
          try transaction.fold()
          try transaction.acknowledgeCreate(
            of: "League", localID: league.localID, objectID: objectID, createdAt: createdAt)
        }
        let game = try store.write { try $0.insert("Game", ["league": pointer(objectID)]) }
        #expect(try store.game(game.localID)?["league"] == pointer(objectID))
      }
      for id in [league.objectID, "l1", "l2"] {
        let found = try store.read { try $0.record(of: "League", objectID: id) }
        #expect(found?.localID == league.localID)
      }
      #expect(
        try store.read { try $0.records(of: "Game") }.map { $0["league"] } == [
          pointer("l2"), pointer("l2"),
        ])
    },
    StoreCheck("pointers to a record name another one, and so does its id") { store in
      try store.importRows("League", [importRow("League", "l1", [:])])
      let kept = try store.importGame("g1", ["league": pointer("l2"), "moves": [pointer("l2")]])
      let edited = try store.importGame("g2", ["score": 1])
      try store.write { try $0.update("Game", edited, ["league": pointer("l2")]) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.redirect(from: "l2", to: "l1", of: "League")
      }
      let row = try #require(try store.game(kept))
      #expect(row["league"] == pointer("l1"))
      #expect(row["moves"] == [pointer("l1")])
      #expect(try store.game(edited)?["league"] == pointer("l1"))
      #expect(try store.entry("Game", edited)?.changed == ["league"])
      #expect(try store.entry("Game", kept) == nil, "the engine's writes are no edits")
      #expect(try store.syncRead { try $0.aliases(of: ["l2"]) } == ["l2": "l1"])
      #expect(try store.syncRead { try $0.log(after: $0.foldedThrough()) }.isEmpty)
    },
    StoreCheck("an id that another row has is refused") { store in
      try store.importRows("League", [importRow("League", "l1", [:])])
      let league = try store.write { try $0.insert("League", [:]) }
      expectStoreError(.duplicateObjectID) {
        try store.sync(.full) { transaction in
          try transaction.fold()
          try transaction.acknowledgeCreate(
            of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
        }
      }
      let row = try store.read { try $0.record(of: "League", localID: league.localID) }
      #expect(row?.objectID == league.objectID)
    },
  ]
}
