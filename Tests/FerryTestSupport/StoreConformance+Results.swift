// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Testing

extension StoreConformance {
  static let results: [StoreCheck] = [
    StoreCheck("a query gives ids, chosen fields, distinct values and a count") { store in
      let games = try store.write { db in
        let league = try db.insert("League", ["name": "n"])
        return [
          try db.insert("Game", ["title": "b", "score": 1, "league": .pointer(league)]),
          try db.insert("Game", ["title": "a", "score": 1]),
          try db.insert("Game", ["title": "a", "score": .null]),
        ]
      }
      let query = Query("Game", orderedBy: .ascending("title"))
      try store.read { db throws in
        #expect(try db.references(query) == [games[1], games[2], games[0]])
        #expect(
          try db.values(of: ["title", "league.name"], in: query)
            == [["title": "a"], ["title": "a"], ["title": "b", "league.name": "n"]])
        #expect(try db.distinctValues(of: "title", in: query) == ["a", "b"])
        #expect(try db.distinctValues(of: "score", in: query) == [1])
        #expect(try db.distinctValues(of: "title", in: Query("Game", limit: 1)) == ["b"])
        #expect(try db.count(query) == 3)
        #expect(try db.count(Query("Game", limit: 2, offset: 2)) == 1)
        #expect(try db.count(Query("Game", offset: 4)) == 0)
        #expect(try db.values(of: [], in: query) == [[:], [:], [:]])
      }
    },
    StoreCheck("rows are added up, for all of them and by groups, and missing values are skipped") {
      store in
      try store.write { db in
        for (title, score, rating) in [
          ("a", 1, 0.1), ("a", 2, 0.2), ("b", 4, .null), (.null, .null, 1e16),
        ] as [(Value, Value, Value)] {
          try db.insert("Game", ["title": title, "score": score, "rating": rating])
        }
      }
      let all: [Aggregate] = [
        .count, .countOf("score"), .sum("score"), .average("score"), .minimum("title"),
        .maximum("score"),
        .sum("rating"),
      ]
      try store.read { db throws in
        let one = try #require(try db.summaries(all, of: Query("Game")).first)
        #expect(one[.count] == 4)
        #expect(one[.countOf("score")] == 3)
        if case .integer(7) = one[.sum("score")] {} else { Issue.record("\(one[.sum("score")])") }
        #expect(one[.average("score")] == .number(7.0 / 3))
        #expect(one[.minimum("title")] == "a")
        #expect(one[.maximum("score")] == 4)
        #expect(one[.sum("rating")] == .number(1e16))
        let groups = try db.summaries(
          [.count, .sum("score")], of: Query("Game"), groupedBy: ["title"])
        #expect(groups.map(\.group) == [[:], ["title": "a"], ["title": "b"]])
        #expect(groups.map { $0[.sum("score")] } == [.null, 3, 4])
        let none = Query("Game", where: .field("title", .equal, "z"))
        #expect(try db.summary(.count, of: none) == 0)
        #expect(try db.summary(.sum("score"), of: none) == .null)
        #expect(try db.summaries([.count], of: none, groupedBy: ["title"]).isEmpty)
        #expect(try db.summary(.sum("score"), of: Query("Game", limit: 2)) == 3)
      }
    },
    StoreCheck("results that cannot be made are refused") { store in
      func ask<Result>(_ body: (any StoreReader) throws -> Result) throws {
        _ = try store.read { try body($0) }
      }
      let query = Query("Game")
      expectStoreError(.wrongType) { try ask { try $0.summary(.sum("title"), of: query) } }
      expectStoreError(.wrongType) { try ask { try $0.summary(.maximum("place"), of: query) } }
      expectStoreError(.wrongType) { try ask { try $0.distinctValues(of: "moves", in: query) } }
      expectStoreError(.unknownField) { try ask { try $0.summary(.countOf("colour"), of: query) } }
      expectStoreError(.unknownField) {
        try ask { try $0.values(of: ["league.colour"], in: query) }
      }
      let many = Array(repeating: "title", count: 1001)
      expectStoreError(.queryTooLarge) { try ask { try $0.values(of: many, in: query) } }
      _ = try store.read { try $0.values(of: Array(many.dropFirst()), in: query) }
      expectStoreError(.unknownClass) { try ask { try $0.references(Query("Nothing")) } }
      expectStoreError(.unknownField) {
        try ask { try $0.count(Query("Game", orderedBy: .ascending("colour"))) }
      }
      expectStoreError(.unknownField) {
        try ask { try $0.explain(Query("Game", where: .isNull("colour"))) }
      }
    },
    StoreCheck("a plan names the classes that a query scans") { store in
      let small = Query("League", where: .text("name", .prefix("n")))
      let query = Query("Game", where: .text("title", .contains("x")) && .among("league", small))
      let plan = try store.read { try $0.explain(query) }
      #expect(plan.scannedClasses == ["Game", "League"])
      #expect(!plan.steps.isEmpty)
    },
  ]
}
