// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness
import Testing

extension StoreConformance {
  static let syncing: [StoreCheck] = [
    StoreCheck("an imported row holds what the server sent, of every type") { store in
      var fields = everyType
      fields["score"] = .integer(.max)
      let id = try store.importGame("s1", fields)
      let row = try #require(try store.game(id))
      #expect(row.fields == fields)
      #expect(row.objectID == "s1")
      #expect(row.createdAt == createdAt)
      #expect(row.version == version)
      #expect(row.acl == acl)
    },
    StoreCheck("an attempt that fails is taken back, and the rest of its transaction stays") {
      store in
      let kept = try store.importGame("s1", ["title": "before"])
      try store.sync(.full) { transaction throws(StoreError) in
        try transaction.apply([importRow("Game", "s2", ["title": "kept"])], to: "Game")
        do throws(StoreError) {
          try transaction.attempt { () throws(StoreError) in
            // As many as let a store do without its triggers for a while.
            let rows = (0..<1200).map { importRow("Game", "n\($0)", [:]) }
            try transaction.apply(rows, to: "Game")
            try transaction.set(["title": "after"], of: "Game", localID: kept)
            throw StoreError.noSuchRecord("Game", kept)
          }
        } catch {
          guard error.code == .noSuchRecord else { throw error }
        }
        try transaction.attempt { () throws(StoreError) in
          _ = try transaction.apply([importRow("Game", "s3", ["title": "kept, too"])], to: "Game")
        }
      }
      let titles = try store.read { try $0.records(of: "Game") }.map { $0["title"] }
      #expect(titles == ["before", "kept", "kept, too"])
      #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 3)
      // The triggers are there again.
      let row = try store.write { try $0.insert("Game", ["title": "of the app"]) }
      #expect(
        try store.syncRead { try $0.pendingEntries(of: "Game") }.map(\.localID) == [row.localID])
    },
    StoreCheck("an import overwrites a row as a whole") { store in
      let id = try store.importGame("s1", everyType)
      let row = importRow("Game", "s1", ["title": "new"], localID: id, version: nil)
      #expect(try store.importRows("Game", [row]) == [id])
      #expect(try store.game(id)?.fields == ["title": "new"])
      #expect(try store.game(id)?.version == nil)
      expectStoreError(.noSuchRecord) {
        try store.importRows(
          "Game", [importRow("Game", "s2", [:], localID: LocalID(rawValue: 50))])
      }
      expectStoreError(.duplicateObjectID) {
        try store.importRows("Game", [importRow("Game", "s1", [:])])
      }
      expectStoreError(.unknownClass) { try store.importRows("Cup", []) }
    },
    StoreCheck("a relation has its value from the start, and is nothing to send") { store in
      let club = try store.write { try $0.insert("Club", ["name": "North"]) }
      let row = try store.read { try $0.record(of: "Club", localID: club.localID) }
      #expect(row?["fans"] == .relation(className: "Fan"))
      let pending = try store.syncRead { try $0.pendingEntries(of: "Club") }
      #expect(pending.map(\.changed) == [["name"]])
      let id = try #require(try store.importRows("Club", [importRow("Club", "s1", [:])]).first)
      let imported = try store.read { try $0.record(of: "Club", localID: id) }
      #expect(imported?["fans"] == .relation(className: "Fan"))
    },
    StoreCheck("local ids come in the order of the rows") { store in
      let first = try store.importGame("s1")
      let ids = try store.importRows(
        "Game",
        [
          importRow("Game", "s2", [:]), importRow("Game", "s1", [:], localID: first),
          importRow("Game", "s3", [:]),
        ])
      #expect(ids[1] == first)
      let objectIDs = try store.syncRead { try $0.records(of: "Game", localIDs: ids) }
        .map(\.objectID)
      #expect(objectIDs == ["s2", "s1", "s3"])
    },
    StoreCheck("a removed record keeps its local id, should it reappear") { store in
      let first = try store.importGame("s1")
      let second = try store.importGame("s2")
      try store.sync(.full) { try $0.remove([first, LocalID(rawValue: 77)], from: "Game") }
      #expect(try store.game(first) == nil)
      #expect(try store.importGame("s3") > second)
      #expect(try store.importGame("s1") == first)
    },
    StoreCheck("a record that the app deleted is remembered on request") { store in
      let id = try store.importGame("s1")
      try store.write { try $0.delete("Game", id) }
      try store.sync(.full) { try $0.remember(id, objectID: "s1", of: "Game") }
      #expect(try store.importGame("s1") == id)
    },
    StoreCheck("a former local id that is taken is not given again") { store in
      let id = try store.importGame("s1")
      try store.sync(.full) { transaction in
        try transaction.remove([id], from: "Game")
        let row = Record(
          className: "Game", localID: id, objectID: "other", fields: [:], createdAt: createdAt)
        try transaction.reinstate(row)
      }
      let again = try store.importGame("s1")
      #expect(again != id)
    },
    StoreCheck("a former local id with the unsent delete of another record is not given again") {
      store in
      let id = try store.importGame("s1")
      try store.sync(.full) { transaction in
        try transaction.remove([id], from: "Game")
        let gone = Record(
          className: "Game", localID: id, objectID: "other", fields: [:], createdAt: createdAt)
        try transaction.put(OutboxEntry(deleting: gone, foldedThrough: .start))
      }
      #expect(try store.importGame("s1") != id)
      try store.sync(.full) { try $0.removeOutboxEntry(of: "Game", localID: id) }
      let other = try #require(try store.read { try $0.record(of: "Game", objectID: "s1") })
      try store.sync(.full) { try $0.remove([other.localID], from: "Game") }
      #expect(try store.importGame("s1") == other.localID)
    },
    StoreCheck("a deleted row is put back under its old local id") { store in
      let id = try store.importGame("s1", everyType)
      let row = try #require(try store.game(id))
      try store.write { try $0.delete("Game", id) }
      let token = try store.read { try $0.lastToken() }
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.removeOutboxEntry(of: "Game", localID: id)
        try transaction.reinstate(row)
      }
      #expect(try store.game(id) == row)
      #expect(try store.syncRead { try $0.log(after: token) }.isEmpty)
      let change = try store.read { try $0.changes(after: token, limit: 9) }
      #expect(change.map(\.kind) == [.insert])
      #expect(change.map(\.author) == [.sync])
      let next = try store.write { try $0.insert("Game", [:]) }
      #expect(next.localID > id)
    },
    StoreCheck("single fields are set and cleared") { store in
      let id = try store.importGame("s1", everyType)
      try store.sync(.full) {
        try $0.set(["title": "t", "rating": .null], of: "Game", localID: id)
      }
      let row = try #require(try store.game(id))
      #expect(row["title"] == "t")
      #expect(row.fields["rating"] == nil)
      #expect(row["moves"] == everyType["moves"])
      #expect(row.version == version)
      expectStoreError(.noSuchRecord) {
        try store.sync(.full) {
          try $0.set(["title": "t"], of: "Game", localID: LocalID(rawValue: 9))
        }
      }
    },
    StoreCheck("rows and versions are found by many ids at once") { store in
      let ids = try store.importRows("Game", (0..<5).map { importRow("Game", "s\($0)", [:]) })
      try store.syncRead { (reader) throws -> Void in
        let wanted = ["s3", "none", "s1"]
        let found = try reader.records(of: "Game", objectIDs: wanted).map(\.objectID)
        #expect(Set(found) == ["s3", "s1"])
        let versions = try reader.versions(of: "Game", objectIDs: wanted)
        #expect(Set(versions.keys) == ["s3", "s1"])
        #expect(
          versions["s3"]
            == StoredVersion(
              localID: ids[3], objectID: "s3", createdAt: createdAt, version: version))
        #expect(
          try reader.records(of: "Game", localIDs: [ids[4], LocalID(rawValue: 99)]).map(\.localID)
            == [ids[4]])
        #expect(try reader.records(of: "Game", localIDs: []).isEmpty)
      }
    },
    StoreCheck("rows of a batch that the store has in another version, or not, are found") {
      store in
      try store.importRows("Game", ["a", "b", "c"].map { importRow("Game", $0, [:]) })
      let own = try store.write { try $0.insert("Game", [:]) }
      var batch = RowBatch(emptyValues: [])
      for (id, text) in [
        ("b", "2026-03-01T18:30:00.251Z"), ("a", version.rawValue),
        (own.objectID, version.rawValue),
        ("none", version.rawValue), ("c", version.rawValue),
      ] {
        batch.beginRow()
        batch.set(RowBatch.Column.objectID, .string(id))
        batch.set(RowBatch.Column.version, .string(text))
      }
      let found = try store.syncRead { try $0.rowsOfOtherVersions(in: batch, of: "Game") }
      #expect(found == [0, 2, 3])
    },
    StoreCheck("of rows in any order, those in another version are found") { store in
      let names = (0..<40).map { "s\($0)" }
      try store.importRows("Game", names.map { importRow("Game", $0, [:]) })
      var chance = SeededGenerator(seed: 7)
      for swaps in [0, 1, 4, 100] {
        var ids = names
        for _ in 0..<swaps { ids.swapAt(chance.number(below: 40), chance.number(below: 40)) }
        ids.insert("none", at: chance.number(below: 40))
        let others = Set((0..<swaps).map { _ in chance.number(below: 41) })
        var batch = RowBatch(emptyValues: [])
        for (row, id) in ids.enumerated() {
          batch.beginRow()
          batch.set(RowBatch.Column.objectID, .string(id))
          batch.set(
            RowBatch.Column.version, .string(others.contains(row) ? "other" : version.rawValue))
        }
        let expected = ids.indices.filter { ids[$0] == "none" || others.contains($0) }
        #expect(
          try store.syncRead { try $0.rowsOfOtherVersions(in: batch, of: "Game") } == expected)
      }
    },
    StoreCheck("acknowledged rows are counted and listed by creation and by age") { store in
      func time(_ second: Int64) -> Timestamp { Timestamp(milliseconds: second * 1000) }
      let ids = try store.importRows(
        "Game",
        [5, 1, 3, 3, 9].enumerated().map { index, second in
          importRow("Game", "s\(index)", [:], createdAt: time(second))
        })
      try store.write { try $0.insert("Game", [:]) }
      try store.syncRead { (reader) throws -> Void in
        #expect(try reader.acknowledgedCount(of: "Game") == 5)
        let times = try reader.acknowledgedTimes(of: "Game")
        #expect(times.counts(between: [0, 1, 2, 4, 9, 10].map(time)) == [0, 1, 2, 1, 1])
        let all = times.localIDs(createdWithin: [time(0)..<time(10)])
        #expect(all == [ids[0]...ids[4]])
        let within = try reader.acknowledged(
          of: "Game", created: [time(0)..<time(1), time(1)..<time(3), time(5)..<time(9)], among: all
        )
        #expect(within.map { $0.map(\.objectID) } == [[], ["s1"], ["s0"]])
        let whole = try reader.acknowledged(of: "Game", created: [time(3)..<time(9)], among: all)
        #expect(whole.map { Set($0.map(\.objectID)) } == [["s0", "s2", "s3"]])
        let parts = [ids[0]...ids[0], ids[3]...ids[4]]
        let some = try reader.acknowledged(of: "Game", created: [time(3)..<time(9)], among: parts)
        #expect(some.map { Set($0.map(\.objectID)) } == [["s0", "s3"]])
        #expect(try reader.acknowledged(of: "Game", created: [], among: all).isEmpty)
        let page = try reader.acknowledged(of: "Game", after: ids[1], limit: 2)
        #expect(page.map(\.objectID) == ["s2", "s3"])
        #expect(try reader.acknowledged(of: "Game", after: ids[4], limit: 2).isEmpty)
        #expect(try reader.acknowledgedCount(of: "League") == 0)
      }
    },
    StoreCheck("the count of acknowledged rows follows whatever happens to them") { store in
      func count() throws -> Int { try store.syncRead { try $0.acknowledgedCount(of: "Game") } }
      let ids = try store.importRows("Game", (0..<6).map { importRow("Game", "s\($0)", [:]) })
      try store.write { transaction in
        try transaction.delete("Game", ids[0])
        let added = try transaction.insert("Game", [:])
        try transaction.delete(added)
      }
      #expect(try count() == 5)
      try store.fold()
      #expect(try count() == 5)
      try store.sync(.full) { try $0.remove([ids[1]], from: "Game") }
      #expect(try count() == 4)
      let added = try store.write { try $0.insert("Game", [:]) }
      #expect(try count() == 4)
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.acknowledgeCreate(
          of: "Game", localID: added.localID, objectID: "s9", createdAt: createdAt)
      }
      #expect(try count() == 5)
      try store.importRows("Game", [importRow("Game", "s9", [:], localID: added.localID)])
      #expect(try count() == 5)
      _ = try store.sync(.full) { try $0.pruneHistory(keeping: .init(since: .latest), limit: .max) }
      #expect(try count() == 5)
      #expect(try store.read { try $0.count(of: "Game") } == 5)
    },
    StoreCheck("a sync that throws is undone") { store in
      struct Stop: Error {}
      let id = try store.importGame("s1")
      #expect(throws: Stop.self) {
        try store.sync(.normal) { transaction in
          try transaction.apply((0..<1500).map { importRow("Game", "n\($0)", [:]) }, to: "Game")
          try transaction.remove([id], from: "Game")
          try transaction.setBookkeeping("key", to: "1")
          throw Stop()
        }
      }
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      #expect(try store.syncRead { try $0.acknowledgedCount(of: "Game") } == 1)
      #expect(try store.syncRead { try $0.bookkeeping("key") } == nil)
      try store.write { try $0.update("Game", id, ["title": "edited"]) }
      #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.count == 1)
    },
  ]
}
