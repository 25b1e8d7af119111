// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let capture: [StoreCheck] = [
    StoreCheck("each edit is logged with what it destroyed") { store in
      let game = try store.write { try $0.insert("Game", ["title": "a", "logo": .bytes([])]) }
      try store.write {
        try $0.update(game, ["title": "b", "rating": 1, "score": 0, "logo": .null])
      }
      try store.write { try $0.delete(game) }
      let log = try store.syncRead { try $0.log(after: .start) }
      #expect(log.map(\.localID) == [game.localID, game.localID, game.localID])
      #expect(log.first?.kind == .insert)
      #expect(
        log.dropFirst().first?.kind
          == .update(old: ["title": "a", "rating": .null, "logo": .bytes([])]))
      guard case .delete(let old)? = log.last?.kind else { return #expect(Bool(false)) }
      #expect(old.fields == ["title": "b", "rating": 1, "score": 0])
      #expect(old.reference == game)
      #expect(log.map(\.token) == log.map(\.token).sorted())
      #expect(try store.syncRead { try $0.log(after: log[1].token) } == [log[2]])
    },
    StoreCheck("setting a field to the value it has is no edit") { store in
      let game = try store.write { try $0.insert("Game", everyType) }
      let token = try store.read { try $0.lastToken() }
      try store.write { try $0.update(game, everyType) }
      try store.write { try $0.update(game, [:]) }
      #expect(try store.read { try $0.lastToken() } == token)
    },
    StoreCheck("a deleted row is logged with what the server said about it") { store in
      let id = try store.importGame("s1", everyType)
      try store.write { try $0.delete("Game", id) }
      guard case .delete(let old)? = try store.syncRead({ try $0.log(after: .start) }).last?.kind
      else { return #expect(Bool(false)) }
      #expect(old.fields == everyType)
      #expect(old.createdAt == createdAt)
      #expect(old.version == version)
      #expect(old.acl == acl)
    },
    StoreCheck("what a sync writes is not logged as an edit") { store in
      let id = try store.importGame("s1")
      try store.sync(.normal) { transaction in
        try transaction.set(["title": "other"], of: "Game", localID: id)
        try transaction.apply(
          [importRow("Game", "s1", ["title": "third"], localID: id)], to: "Game")
        try transaction.remove([id], from: "Game")
      }
      #expect(try store.syncRead { try $0.log(after: .start) }.isEmpty)
      #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.isEmpty)
    },
    StoreCheck("an edit after an import is captured") { store in
      try store.importRows("Game", (0..<1200).map { importRow("Game", "s\($0)", ["score": 1]) })
      let id = try #require(
        try store.read { try $0.record(of: "Game", objectID: "s7") }?.localID)
      try store.write { try $0.update("Game", id, ["score": 2]) }
      let added = try store.write { try $0.insert("Game", [:]) }
      let log = try store.syncRead { try $0.log(after: .start) }
      #expect(log.map(\.localID) == [id, added.localID])
    },
    StoreCheck("folding makes entries, and asking for the pending ones writes nothing") { store in
      let known = try store.importGame("s1", ["title": "a", "score": 1])
      let added = try store.write { transaction in
        try transaction.update("Game", known, ["title": "b"])
        return try transaction.insert("League", ["name": "n"])
      }
      let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
      #expect(pending.map(\.kind) == [.update, .create])
      #expect(try store.entries().isEmpty)
      #expect(
        try store.syncRead { try $0.pendingEntries(of: "League") }.map(\.localID) == [
          added.localID
        ])
      try store.fold()
      #expect(try store.entries() == pending)
      let update = try #require(try store.entry("Game", known))
      #expect(update.changed == ["title"])
      #expect(update.base == ["title": "a"])
      #expect(update.baseVersion == version)
      #expect(update.createdAt == createdAt)
      let folded = try store.syncRead { try $0.foldedThrough() }
      #expect(try store.read { try $0.lastToken() } == folded)
      try store.fold()
      #expect(try store.entries() == pending)
      try store.write { try $0.update("Game", known, ["title": "a"]) }
      #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty)
      try store.fold()
      #expect(try store.entries().map(\.className) == ["League"])
    },
    StoreCheck("a record inserted again is an update, under its new local id") { store in
      let old = try store.importGame("s1", ["title": "a", "score": 1])
      try store.write { try $0.delete("Game", old) }
      try store.fold()
      #expect(try store.entry("Game", old)?.kind == .delete)
      #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 0)
      let new = try store.write { try $0.insert("Game", ["title": "b"], objectID: "s1") }
      #expect(new.localID != old)
      try store.fold()
      let entry = try #require(try store.entry("Game", new.localID))
      #expect(try store.entries().count == 1)
      #expect(entry.kind == .update)
      #expect(entry.changed == ["title", "score"])
      #expect(entry.base == ["title": "a", "score": 1])
      let row = try #require(try store.game(new.localID))
      #expect(row.createdAt == createdAt)
      #expect(row.version == version)
      #expect(row.acl == acl)
      #expect(row.fields == ["title": "b", "score": 0])
      #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 1)
    },
    StoreCheck("a pointer to a replaced id is set right when it is folded") { store in
      let league = try store.write { try $0.insert("League", ["name": "n"]) }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
        try transaction.removeOutboxEntry(of: "League", localID: league.localID)
      }
      let old = Pointer(className: "League", objectID: league.objectID)
      let game = try store.write {
        try $0.insert("Game", ["league": .pointer(old), "moves": [["deep": .pointer(old)]]])
      }
      let other = try store.importRows("League", [importRow("League", "l2", [:])])[0]
      try store.write { try $0.update("League", other, ["games": [.pointer(old)]]) }
      try store.fold()
      let new = Value.pointer(Pointer(className: "League", objectID: "l1"))
      let row = try store.game(game.localID)
      #expect(row?["league"] == new)
      #expect(row?["moves"] == [["deep": new]])
      let second = try store.read { try $0.record(of: "League", localID: other) }
      #expect(second?["games"] == [new])
      #expect(try store.entry("League", other)?.changed == ["games"])
    },
  ]
}
