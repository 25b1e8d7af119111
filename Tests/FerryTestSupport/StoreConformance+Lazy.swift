// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Testing

extension StoreConformance {
  static let lazy: [StoreCheck] = [
    StoreCheck("a lazy list has the rows of its query, their fields and what they point to") {
      store in
      try store.write { db in
        let top = try db.insert("League", ["name": "Top"])
        for number in 0..<7 {
          let league = try db.insert(
            "League", ["name": .string("L\(number)"), "parent": .pointer(top)])
          try db.insert("Game", ["score": .integer(Int64(number)), "league": .pointer(league)])
        }
        try db.insert("Game", ["score": 7])
        try db.insert(
          "Game", ["score": 8, "league": .pointer(Pointer(className: "League", objectID: "none"))])
      }
      let query = Query(
        "Game", where: .field("score", .greaterThan, 0), orderedBy: .descending("score"))
      let games = try store.lazyRecords(query, batchSize: 3)
      let records = try store.read { try $0.records(query) }
      #expect(games.count == 8 && games.references == records.map(\.reference))
      #expect(try games.map { try $0.record() } == records)
      #expect(try games.map { try $0["score"] } == records.map { $0["score"] })
      let names = try games.map { try $0.pointer("league")?["name"] }
      #expect(names == [.null, nil, "L6", "L5", "L4", "L3", "L2", "L1"])
      #expect(try games.last?.pointer("league")?.pointer("parent")?["name"] == "Top")
      #expect(try games.first?.pointer("league")?.record() == nil)
      #expect(try games.first?.pointer("score") == nil && games.first?["colour"] == .null)
      #expect(try store.lazyRecords(Query("Club")).isEmpty)
      expectStoreError(.unknownClass) { try store.lazyRecords(Query("Nothing")) }
      for size in [-1, 0, .max] {
        #expect(try store.lazyRecords(query, batchSize: size).last?["score"] == 1)
      }
    },
    StoreCheck("a lazy list reads the newest commit, and a row that is gone is none") { store in
      let (games, league) = try store.write { db in
        let league = try db.insert("League", ["name": "North"])
        let games = try (0..<4).map {
          try db.insert("Game", ["score": .integer($0), "league": .pointer(league)])
        }
        return (games, league)
      }
      let list = try store.lazyRecords(Query("Game"), batchSize: 2)
      #expect(try list[0]["score"] == 0)
      try store.write { db in
        try db.update(games[0], ["score": 10])
        try db.update(games[2], ["score": 12])
        try db.delete(games[1])
        try db.delete(games[3])
        try db.delete(league)
      }
      #expect(try list[0]["score"] == 0, "its batch was read before")
      #expect(try list[1]["score"] == 1)
      #expect(try list[2]["score"] == 12)
      #expect(
        try list[3].record() == nil && list[3]["score"] == .null && list[3].pointer("league") == nil
      )
      #expect(list[3].reference == games[3])
      #expect(try list[0].pointer("league")?.record() == nil)
    },
    StoreCheck("a lazy list is read by several threads at once") { store in
      try await store.write { db in
        for number in 0..<200 {
          let league = try db.insert("League", ["name": .string("\(number)")])
          try db.insert("Game", ["score": .integer(Int64(number)), "league": .pointer(league)])
        }
      }
      let list = try await store.lazyRecords(Query("Game"), batchSize: 9)
      #expect(list.references == (try await store.read { try $0.references(Query("Game")) }))
      await #expect(throws: StoreError.self) { try await store.lazyRecords(Query("Nothing")) }
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for step in 1...8 {
          group.addTask {
            try stride(from: 0, to: 200, by: step).allSatisfy {
              try list[$0].pointer("league")?["name"] == .string("\($0)")
            }
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    },
  ]
}
