// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let conflicts: [StoreCheck] = [
    StoreCheck("conflict records are marked as seen, one by one and by class, and counted") {
      store in
      let game = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g")
      let other = RecordReference(className: "Other", localID: LocalID(rawValue: 1), objectID: "o")
      try store.sync(.full) { transaction in
        for record in [game, other, game, game, other] {
          try transaction.recordConflict(lost(record, ["title": "mine"]))
        }
      }
      let ids = try store.read { try $0.conflicts() }.compactMap(\.id).sorted()
      #expect(try store.unseen() == ["Game": 3, "Other": 2])
      #expect(try store.read { try $0.conflicts() }.allSatisfy { !$0.isSeen })
      #expect(try store.write { try $0.markSeen(conflict: ids[2]) })
      #expect(try !store.write { try $0.markSeen(conflict: ids[2]) })
      #expect(try store.read { try $0.conflict(ids[2]) }?.isSeen == true)
      #expect(try store.read { try $0.conflict(ids[2]) }?.isRestored == false)
      #expect(try store.unseen() == ["Game": 2, "Other": 2])
      expectStoreError(.noSuchRecord) {
        try store.write { try $0.markSeen(conflict: ids[4] + 1) }
      }
      #expect(try store.write { try $0.markConflictsSeen(of: "Nothing") } == 0)
      #expect(try store.write { try $0.markConflictsSeen(through: ids[1]) } == 2)
      #expect(try store.unseen() == ["Game": 1, "Other": 1])
      #expect(try store.write { try $0.markConflictsSeen(of: "Other", through: ids[3]) } == 0)
      #expect(try store.write { try $0.markConflictsSeen(of: "Other") } == 1)
      #expect(try store.unseen() == ["Game": 1])
      #expect(throws: Refused.self) {
        try store.write { db in
          try db.markConflictsSeen()
          throw Refused()
        }
      }
      #expect(try store.unseen() == ["Game": 1])
      #expect(try store.write { try $0.markConflictsSeen() } == 1)
      #expect(try store.unseen().isEmpty)
    },
    StoreCheck("a restored conflict record counts as seen") { store in
      let game = try store.write { try $0.insert("Game", ["title": "theirs"]) }
      try store.sync(.full) { try $0.recordConflict(lost(game, ["title": "mine"])) }
      let id = try #require(try store.read { try $0.conflicts() }.first?.id)
      #expect(try store.unseen() == ["Game": 1])
      try store.write { try $0.restore(conflict: id) }
      #expect(try store.unseen().isEmpty)
      let restored = try #require(try store.read { try $0.conflict(id) })
      #expect(restored.isSeen && restored.isRestored)
      // A mark takes nothing back.
      #expect(try !store.write { try $0.markSeen(conflict: id) })
      #expect(try store.read { try $0.conflict(id) } == restored)
    },
    StoreCheck("an observation gives the count of unseen conflict records after each mark") {
      store in
      let game = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g")
      try store.sync(.full) { transaction in
        for _ in 1...2 { try transaction.recordConflict(lost(game, ["title": "mine"])) }
      }
      var counts = store.observe { try $0.unseenConflictCounts() }.makeAsyncIterator()
      #expect(try await counts.next() == ["Game": 2])
      try await store.write { try $0.markSeen(conflict: 1) }
      #expect(try await counts.next() == ["Game": 1])
      try await store.write { try $0.markConflictsSeen() }
      #expect(try await counts.next() == [:])
    },
    StoreCheck("the conflict records of one run are listed") { store in
      let game = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g")
      try store.sync(.full) { try $0.recordConflict(lost(game, ["title": "old"])) }
      try store.sync(.full) { transaction in
        transaction.attributeConflicts(to: 2)
        try transaction.recordConflict(lost(game, ["title": "a"]))
        try transaction.recordConflict(lost(game, ["title": "b"]))
      }
      try store.sync(.full) { transaction in
        transaction.attributeConflicts(to: 4)
        try transaction.recordConflict(lost(game, ["title": "c"]))
      }
      try store.read { (db) throws -> Void in
        #expect(try db.conflicts().map(\.run) == [4, 2, 2, nil])
        #expect(try db.conflicts(ofRun: 2).map(\.lost) == [["title": "b"], ["title": "a"]])
        #expect(try db.conflicts(ofRun: 4).map(\.lost) == [["title": "c"]])
        for run: Int64 in [.min, -1, 0, 1, 3, 5, .max] {
          #expect(try db.conflicts(ofRun: run).isEmpty, "\(run)")
        }
      }
    },
    StoreCheck("all conflict records of a run are restored, whole records first") { store in
      let edited = try #require(try store.game(store.importGame("s1", ["title": "theirs"])))
      let doomed = try #require(try store.game(store.importGame("s2", ["title": "gone"])))
      let stranger = RecordReference(
        className: "Other", localID: LocalID(rawValue: 7), objectID: "o7")
      let missing = RecordReference(
        className: "Game", localID: LocalID(rawValue: 99), objectID: "s99")
      try store.sync(.full) { transaction in
        try transaction.recordConflict(lost(edited.reference, ["title": "earlier"]))
        transaction.attributeConflicts(to: 2)
        try transaction.recordConflict(lost(doomed.reference, ["score": 5]))
        try transaction.recordConflict(lost(edited.reference, ["title": "mine"]))
        try transaction.recordConflict(lost(doomed.reference, doomed.fields, whole: true))
        try transaction.recordConflict(lost(stranger, ["name": "x"]))
        try transaction.recordConflict(lost(edited.reference, ["unknown": 1]))
        try transaction.recordConflict(lost(missing, ["title": "part"]))
        try transaction.recordConflict(lost(edited.reference, ["score": 9]))
        try transaction.remove([doomed.localID], from: "Game")
      }
      try store.write { try $0.restore(conflict: 8) }
      try store.write { try $0.update(edited.reference, ["score": 1]) }
      let restorations = try store.write { try $0.restoreConflicts(ofRun: 2) }
      #expect(restorations.map(\.conflict.id) == [4, 2, 3, 5, 6, 7])
      let codes: [StoreError.Code?] = restorations.map { restoration in
        guard case .failure(let error) = restoration.result else { return nil }
        return error.code
      }
      #expect(codes == [nil, nil, nil, .unknownClass, .unknownField, .noSuchRecord])
      let back = try restorations[0].result.get()
      #expect(back.localID != doomed.localID)
      #expect(try restorations[1].result.get() == back)
      #expect(try store.game(back.localID)?["title"] == "gone")
      #expect(try store.game(back.localID)?["score"] == 5)
      #expect(try store.game(edited.localID)?["title"] == "mine")
      #expect(try store.game(edited.localID)?["score"] == 1, "restored before the call")
      #expect(
        try store.read { try $0.conflicts() }.filter(\.isRestored).map(\.id) == [8, 4, 3, 2])
      let again = try store.write { try $0.restoreConflicts(ofRun: 2) }
      #expect(again.map(\.conflict.id) == [5, 6, 7])
      #expect(try store.write { try $0.restoreConflicts(ofRun: 77) }.isEmpty)
    },
    StoreCheck("conflict records leave by age, seen ones first, and the newest stay") { store in
      let game = RecordReference(className: "Game", localID: LocalID(rawValue: 1), objectID: "g")
      func time(_ day: Int64) -> Timestamp { Timestamp(milliseconds: day * 86_400_000) }
      // Nine conflict records, one a day; those of even days are seen.
      try store.sync(.full) { transaction in
        for day: Int64 in 1...9 {
          var conflict = lost(game, ["score": .integer(day)])
          conflict.time = time(day)
          try transaction.recordConflict(conflict)
        }
      }
      try store.write { db in
        for id: Int64 in [2, 4, 6, 8] { try db.markSeen(conflict: id) }
      }
      func left() throws -> [Int64] {
        try store.read { try $0.conflicts() }.compactMap(\.id).sorted()
      }
      func prune(_ retention: ConflictRetention, limit: Int) throws -> Bool {
        try store.sync(.normal) { try $0.pruneConflicts(keeping: retention, limit: limit) }
      }
      let all = ConflictRetention(newest: 9, seenSince: time(99), unseenSince: time(99))
      #expect(try !prune(all, limit: 99))
      #expect(try left() == Array(1...9))
      let bySeen = ConflictRetention(newest: 3, seenSince: time(99), unseenSince: time(3))
      #expect(try prune(bySeen, limit: 2))
      #expect(try left().count == 7)
      while try prune(bySeen, limit: 2) {}
      // The third is not older than the limit, and the eighth is among the newest three.
      #expect(try left() == [3, 5, 7, 8, 9])
      #expect(try store.unseen() == ["Game": 4])
      #expect(
        try !prune(
          ConflictRetention(
            newest: 0, seenSince: time(99), unseenSince: time(99)), limit: 99))
      #expect(try left().isEmpty)
      // Numbers never repeat.
      try store.sync(.full) { try $0.recordConflict(lost(game, ["title": "new"])) }
      #expect(try left() == [10])
    },
  ]

  private struct Refused: Error {}
}

extension SyncStore {
  fileprivate func unseen() throws -> [String: Int] {
    try read { try $0.unseenConflictCounts() }
  }
}
