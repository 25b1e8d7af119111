// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  private static func entry(_ className: String, _ number: Int64) -> OutboxEntry {
    var entry = OutboxEntry(
      className: className, localID: LocalID(rawValue: number), objectID: "o\(number)",
      kind: .create, foldedThrough: HistoryToken(rawValue: 3))
    entry.begin(
      Attempt(kind: .create, sent: [:], token: .start, startedAt: createdAt),
      clientKey: "k\(number)")
    entry.postpone()
    return entry
  }

  /// An entry that has something in every member.
  private static func fullEntry() -> OutboxEntry {
    var full = OutboxEntry(
      deleting: Record(
        className: "Game", localID: LocalID(rawValue: 2), objectID: "o2", fields: everyType,
        acl: acl, createdAt: createdAt, version: version),
      foldedThrough: HistoryToken(rawValue: 3))
    full.begin(Attempt(kind: .update, sent: [:], token: .start, startedAt: createdAt))
    _ = full.acknowledge(answer: [:], version: version, createdAt: nil, current: nil)
    full.overwrite(["a": 1, "b": .null])
    full.begin(
      Attempt(
        kind: .create, sent: everyType.merging(["rating": .null]), withheld: ["league"],
        token: HistoryToken(rawValue: 2), startedAt: createdAt),
      clientKey: "k2")
    full.lose(timedOut: true)
    full.refuse(Refusal(reason: .undecidable, code: 111, message: "no — \"type\""))
    return full
  }

  /// Entries of each state, by local id; all but the last are creates.
  private static func entriesOfManyStates() -> [OutboxEntry] {
    var entries = (1...6).map { entry("Game", Int64($0)) }
    let attempt = Attempt(kind: .create, sent: [:], token: .start, startedAt: createdAt)
    entries[1].begin(attempt)
    entries[2].begin(attempt)
    entries[2].lose(timedOut: true)
    _ = entries[3].wait(in: .parked(Refusal(reason: .refused, message: "no")))
    _ = entries[4].wait(in: .blocked(by: .notFound))
    entries[5].begin(attempt)
    entries[5] =
      WriteConclusion.failed(
        entries[5],
        SentWrite(key: entries[5].key, objectID: entries[5].objectID, attempt: attempt),
        WriteFailure(.outcomeUnknown(mayStillRun: false), "no"), current: nil, isShared: true,
        attemptLimit: 9, at: createdAt, in: .postCreated
      ).entry
    _ = entries[5].resolveAbsent()
    var done = entry("Game", 7)
    done.begin(attempt)
    done.lose(timedOut: true)
    done.begin(attempt)
    _ = done.acknowledge(answer: [:], version: nil, createdAt: createdAt, current: [:])
    return entries + [done]
  }

  static func lost(_ record: RecordReference, _ fields: Fields, whole: Bool = false)
    -> ConflictRecord
  {
    ConflictRecord(
      time: createdAt, record: record, reason: whole ? .removed : .remoteWon, lost: fields,
      isWholeRecord: whole)
  }

  static let keeping: [StoreCheck] = [
    StoreCheck("outbox entries are kept whole and found by what names them") { store in
      var full = fullEntry()
      var waiting = entry("League", 1)
      _ = waiting.wait(
        in: .blocked(
          by: .record(
            Waiting(className: "Game", localID: LocalID(rawValue: 2), field: "league"))))
      let plain = entry("Game", 10)
      try store.sync(.full) { transaction in
        for entry in [plain, waiting, full] { try transaction.put(entry) }
      }
      try store.syncRead { (reader) throws -> Void in
        #expect(try reader.outbox(of: nil) == [full, plain, waiting])
        #expect(try reader.outbox(of: "Game") == [full, plain])
        #expect(try reader.outboxEntries(of: "Game", objectIDs: ["o2", "o1"]) == [full])
        #expect(try reader.outboxEntries(of: "League", clientKeys: ["k1", "k2"]) == [waiting])
        #expect(
          try reader.outboxEntries(of: "Game", localIDs: [10, 2, 1].map(LocalID.init(rawValue:)))
            .count == 2)
      }
      full.retry()
      full.rename(to: "renamed")
      try store.sync(.full) { transaction in
        try transaction.put(full)
        try transaction.removeOutboxEntry(of: "Game", localID: plain.localID)
        try transaction.removeOutboxEntry(of: "Game", localID: LocalID(rawValue: 99))
      }
      #expect(try store.entries() == [full, waiting])
      #expect(try store.syncRead { try $0.outboxEntries(of: "Game", objectIDs: ["o2"]) }.isEmpty)
    },
    StoreCheck("a selection of the outbox has the entries that it says") { store in
      let states = entriesOfManyStates()
      try store.sync(.full) { try $0.put(states) }
      try store.syncRead { (reader) throws -> Void in
        for selection in OutboxSelection.allCases {
          let wanted = states.filter(selection.contains)
          #expect(!wanted.isEmpty)
          #expect(try reader.outbox(selection, of: nil, after: nil, limit: 99) == wanted)
          #expect(try reader.outbox(selection, of: "Game", after: nil, limit: 99) == wanted)
          #expect(
            try reader.outbox(selection, of: nil, after: wanted.first?.key, limit: 1)
              == Array(wanted.dropFirst().prefix(1)))
          #expect(try reader.outbox(selection, of: "Club", after: nil, limit: 99).isEmpty)
        }
        #expect(
          try reader.outboxTotals(of: .create)
            == ["Game": OutboxTotal(count: states.count - 1, last: states[5].localID)])
        #expect(
          try reader.outboxTotals(of: .update)
            == ["Game": OutboxTotal(count: 1, last: states[6].localID)])
        #expect(try reader.outboxTotals(of: .delete).isEmpty)
        #expect(try reader.outboxCounts() == ["Game": states.count])
      }
    },
    StoreCheck("many keys find the entries and rows that few find") { store in
      try store.write { db in
        for number in 0..<30 { try db.insert("League", ["name": .string("\(number)")]) }
      }
      try store.sync(.full) { try $0.fold() }
      try store.syncRead { (reader) throws -> Void in
        let all = try reader.outbox(of: "League")
        for step in [1, 7] {
          let some = stride(from: 2, to: 29, by: step).map { all[$0] }
          let (ids, names) = (some.map(\.localID), some.map(\.objectID))
          #expect(try reader.outboxEntries(of: "League", localIDs: ids) == some)
          #expect(try reader.records(of: "League", localIDs: ids).map(\.objectID) == names)
          let found = try reader.outboxEntries(of: "League", objectIDs: names + ["x", "y\u{0}"])
          #expect(found.sorted { $0.key < $1.key } == some)
          #expect(Set(try reader.versions(of: "League", objectIDs: names).keys) == Set(names))
        }
      }
    },
    StoreCheck("a conflict record restores single values as an edit") { store in
      let id = try store.importGame("s1", ["title": "theirs", "score": 1])
      let record = try #require(try store.game(id)?.reference)
      try store.sync(.full) { transaction in
        try transaction.recordConflict(lost(record, ["title": "older"]))
        try transaction.recordConflict(lost(record, ["title": "mine", "unknown": 1]))
      }
      let conflicts = try store.read { try $0.conflicts() }
      #expect(conflicts.map(\.lost) == [["title": "mine", "unknown": 1], ["title": "older"]])
      #expect(try store.read { try $0.conflicts(limit: 1) } == [conflicts[0]])
      #expect(conflicts.allSatisfy { !$0.isRestored && $0.record == record })
      let restored = try store.write { try $0.restore(conflict: #require(conflicts[0].id)) }
      #expect(restored == record)
      #expect(try store.game(id)?["title"] == "mine")
      #expect(try store.read { try $0.conflicts() }.map(\.isRestored) == [true, false])
      let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
      #expect(pending.map(\.changed) == [["title"]])
      #expect(pending.map(\.base) == [["title": "theirs"]])
      expectStoreError(.noSuchRecord) { try store.write { try $0.restore(conflict: 99) } }
    },
    StoreCheck("conflict records are found by class, number and age, and counted") { store in
      let game = try #require(try store.game(store.importGame("s1", ["title": "theirs"]))).reference
      let league = RecordReference(
        className: "League", localID: LocalID(rawValue: 7), objectID: "l7")
      try store.sync(.full) { transaction in
        var mine = lost(game, ["title": "mine"])
        mine.kept = ["title": "theirs"]
        for conflict in [
          mine, lost(league, ["name": "x"]), lost(game, ["title": .null, "score": 1]),
        ] {
          try transaction.recordConflict(conflict)
        }
      }
      try store.read { (db) throws -> Void in
        let all = try db.conflicts()
        let ids = all.compactMap(\.id)
        #expect(ids == ids.sorted(by: >) && ids.count == 3)
        #expect(all.map(\.kept) == [[:], [:], ["title": "theirs"]])
        #expect(all[0].lost == ["title": .null, "score": 1])
        #expect(try db.conflicts(of: "Game").map(\.id) == [ids[0], ids[2]])
        #expect(try db.conflicts(of: "Venue").isEmpty)
        #expect(
          try db.conflicts(of: nil, before: ids[0], limit: nil).map(\.id) == [ids[1], ids[2]])
        #expect(try db.conflicts(of: "Game", before: ids[0], limit: 1).map(\.id) == [ids[2]])
        #expect(try db.conflicts(limit: -1).isEmpty)
        #expect(try db.conflict(ids[1]) == all[1])
        #expect(try db.conflict(ids[0] + 1) == nil)
      }
      try store.syncRead { (reader) throws -> Void in
        let first = try #require(try reader.conflicts().last?.id)
        let reason = try #require(try reader.conflicts().last?.reason)
        #expect(
          try reader.conflictCounts(after: 0) == ["Game": [reason: 2], "League": [reason: 1]])
        #expect(
          try reader.conflictCounts(after: first) == ["Game": [reason: 1], "League": [reason: 1]])
        #expect(try reader.conflictCounts(after: first + 2).isEmpty)
      }
    },
    StoreCheck("a restore that can write no value changes nothing") { store in
      let game = try #require(try store.game(store.importGame("s1", ["title": "theirs"]))).reference
      try store.sync(.full) { transaction in
        try transaction.recordConflict(lost(game, ["unknown": 1, "title": 5]))
      }
      let id = try #require(try store.read { try $0.conflicts().first?.id })
      expectStoreError(.unknownField) { try store.write { try $0.restore(conflict: id) } }
      #expect(try store.read { try $0.conflict(id)?.isRestored } == false)
      #expect(try store.game(game.localID)?["title"] == "theirs")
    },
    StoreCheck("a conflict record restores a removed record as a new one") { store in
      let league = try store.write { try $0.insert("League", [:]) }
      let id = try store.importGame("s1", everyType)
      let row = try #require(try store.game(id))
      try store.sync(.full) { transaction in
        try transaction.fold()
        try transaction.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
        var fields = row.fields
        fields["league"] = .pointer(league)
        try transaction.recordConflict(lost(row.reference, fields, whole: true))
        try transaction.recordConflict(lost(row.reference, ["title": "part"]))
        try transaction.remove([id], from: "Game")
      }
      let conflicts = try store.read { try $0.conflicts() }
      let part = try #require(conflicts[0].id)
      let whole = try #require(conflicts[1].id)
      expectStoreError(.noSuchRecord) { try store.write { try $0.restore(conflict: part) } }
      let restored = try store.write { try $0.restore(conflict: whole) }
      #expect(restored.localID != id)
      #expect(MintedID.matches(restored.objectID))
      expectStoreError(.alreadyRestored) { try store.write { try $0.restore(conflict: whole) } }
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      try store.fold()
      let back = try #require(try store.game(restored.localID))
      #expect(back["title"] == row["title"])
      #expect(
        back["league"] == .pointer(Pointer(className: "League", objectID: "l1")),
        "no replaced id comes back")
      #expect(try store.entry("Game", restored.localID)?.kind == .create)
    },
    StoreCheck("a restored record whose row is gone is restored again, alone and with its run") {
      store in
      let id = try store.importGame("s1", ["title": "Final"])
      let row = try #require(try store.game(id))
      try store.sync(.full) { transaction in
        transaction.attributeConflicts(to: 1)
        try transaction.recordConflict(lost(row.reference, row.fields, whole: true))
        try transaction.remove([id], from: "Game")
      }
      let whole = try #require(try store.read { try $0.conflicts() }.first?.id)
      try store.write { try $0.restore(conflict: whole) }
      try store.undo()
      let again = try store.write { try $0.restore(conflict: whole) }
      #expect(try store.game(again.localID)?["title"] == "Final")
      expectStoreError(.alreadyRestored) { try store.write { try $0.restore(conflict: whole) } }
      #expect(try store.write { try $0.restoreConflicts(ofRun: 1) }.isEmpty)
      try store.write { try $0.delete(again) }
      #expect(try store.write { try $0.restoreConflicts(ofRun: 1) }.count == 1)
      #expect(try store.read { try $0.conflict(whole) }?.isRestored == true)
      #expect(try store.read { try $0.count(of: "Game") } == 1)
    },
    StoreCheck("a conflict record restores a removed record with its access list") { store in
      let id = try store.importGame("s1", ["title": "private"])
      let row = try #require(try store.game(id))
      try store.sync(.full) { transaction in
        try transaction.fold()
        var whole = lost(row.reference, row.fields, whole: true)
        whole.acl = acl
        try transaction.recordConflict(whole)
        try transaction.recordConflict(lost(row.reference, row.fields, whole: true))
        try transaction.remove([id], from: "Game")
      }
      let conflicts = try store.read { try $0.conflicts() }
      #expect(conflicts.map(\.acl) == [.null, acl])
      for conflict in conflicts {
        let restored = try store.write { try $0.restore(conflict: #require(conflict.id)) }
        let back = try #require(try store.game(restored.localID))
        #expect(back.acl == conflict.acl && back["title"] == "private")
        #expect(back.createdAt == nil && back.version == nil)
        try store.fold()
        #expect(try store.entry("Game", restored.localID)?.kind == .create)
        try store.write { try $0.update(restored, ["title": "edited"]) }
        #expect(try store.game(restored.localID)?.acl == conflict.acl)
      }
    },
    StoreCheck("the quarantine keeps one record for each id") { store in
      func bad(_ className: String, _ id: String, _ reason: String) -> QuarantinedRecord {
        QuarantinedRecord(
          className: className, objectID: id, version: version, createdAt: createdAt,
          raw: #"{"objectId":"\#(id)","é":1}"#, reason: reason, schemaFingerprint: "f")
      }
      var unnamed = bad("League", "no id 1", "no id")
      unnamed.version = nil
      unnamed.createdAt = nil
      try store.sync(.full) { transaction in
        for record in [bad("Game", "s1", "old"), bad("Game", "s2", "r"), unnamed] {
          try transaction.quarantine(record)
        }
        try transaction.quarantine(bad("Game", "s1", "new"))
      }
      let all = try store.read { try $0.quarantine(of: nil) }
      #expect(all == [bad("Game", "s1", "new"), bad("Game", "s2", "r"), unnamed])
      #expect(try store.read { try $0.quarantine(of: "League") } == [unnamed])
      #expect(
        try store.syncRead { try $0.quarantined("Game", objectIDs: ["s2", "x"]) } == [
          bad("Game", "s2", "r")
        ])
      try store.sync(.full) { try $0.removeFromQuarantine("Game", objectIDs: ["s1", "x"]) }
      #expect(try store.read { try $0.quarantine(of: "Game") } == [bad("Game", "s2", "r")])
    },
    StoreCheck("bookkeeping is kept by key") { store in
      try store.sync(.full) { transaction in
        try transaction.setBookkeeping("a", to: #"{"é":1}"#)
        try transaction.setBookkeeping("b", to: "2")
        try transaction.setBookkeeping("a", to: "3")
        try transaction.setBookkeeping("b", to: nil)
        try transaction.setFoldedThrough(HistoryToken(rawValue: 0))
      }
      try store.syncRead { (reader) throws -> Void in
        #expect(try reader.bookkeeping("a") == "3")
        #expect(try reader.bookkeeping("b") == nil)
      }
    },
    StoreCheck("a clone has everything, and goes its own way") { store in
      try checkGoesItsOwnWay(of: store) { try store.clone() }
    },
    StoreCheck("an overlay has everything, and goes its own way") { store in
      try checkGoesItsOwnWay(of: store) { try store.overlaid() }
    },
    StoreCheck("one may sync at a time") { store in
      let lock = try store.lockForSync()
      expectStoreError(.busy) { try store.lockForSync() }
      try store.write { try $0.insert("Game", [:]) }
      let clone = try store.clone()
      try clone.lockForSync().release()
      lock.release()
      lock.release()
      var second: (any SyncLock)? = try store.lockForSync()
      expectStoreError(.busy) { try store.lockForSync() }
      withExtendedLifetime(second) {}
      second = nil
      try store.lockForSync().release()
    },
  ]
}

extension StoreConformance {
  private static func checkGoesItsOwnWay(
    of store: any SyncStore, _ make: () throws -> any SyncStore
  ) throws {
    let id = try store.importGame("s1", everyType)
    try store.write { try $0.update("Game", id, ["title": "edited"]) }
    try store.sync(.full) { transaction in
      try transaction.fold()
      try transaction.setBookkeeping("key", to: "1")
    }
    let clone = try make()
    #expect(try clone.game(id) == store.game(id))
    #expect(try clone.entries() == store.entries())
    #expect(try clone.syncRead { try $0.bookkeeping("key") } == "1")
    #expect(try clone.read { try $0.lastToken() } == store.read { try $0.lastToken() })
    try clone.write { try $0.delete("Game", id) }
    try store.write { try $0.update("Game", id, ["title": "original"]) }
    #expect(try clone.read { try $0.count(of: "Game") } == 0)
    #expect(try store.game(id)?["title"] == "original")
    let fresh = try (store.write { try $0.insert("Game", [:]) }).objectID
    let other = try (clone.write { try $0.insert("Game", [:]) }).objectID
    #expect(MintedID.matches(fresh) && MintedID.matches(other))
  }
}
