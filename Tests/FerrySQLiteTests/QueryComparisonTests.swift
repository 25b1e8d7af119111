// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// A query means the same in memory and in SQLite.
@Suite(.timeLimit(.minutes(5)))
struct QueryComparisonTests {
  private static let cases = 600

  private static let indexedSchema: Schema = {
    var schema = StoreConformance.schema
    for place in schema.entities.indices {
      let fields = schema.entities[place].fields.filter(\.type.isOrdered).map(\.name)
      schema.entities[place].indexes =
        fields.map { Index($0) } + [Index(fields + ["updatedAt"]), Index("createdAt", "updatedAt")]
    }
    return schema
  }()

  /// Eight worlds of 600 queries are 4,800 cases.
  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `of 4,800 random queries each gives the same rows in both stores`(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var random = RandomQueries(seed: seed)
    let memory = try InMemoryStore(schema: StoreConformance.schema)
    // Every second store finds rows by indexes.
    let schema = seed % 2 == 0 ? Self.indexedSchema : StoreConformance.schema
    let file = try SQLiteStore(at: folder.url.appending(path: "store.sqlite"), schema: schema)
    try random.fill([memory, file])
    let states = try memory.syncRead { try $0.unsentStates(of: "Game") }
    #expect(Set(states.values).count > 3, "many states meet")
    var found = 0
    for number in 0..<Self.cases {
      let query = random.query(number % 3 == 0 ? "League" : "Game")
      let expected = try memory.read { try $0.records(query) }
      let rows = try file.read { try $0.records(query) }
      #expect(rows == expected, "case \(number): \(query)")
      found += rows.count
      let condition = query.condition
      let counts = try [memory, file].map { (store: any SyncStore) in
        try store.read { try $0.count(of: query.className, where: condition) }
      }
      #expect(counts[0] == counts[1], "case \(number): \(query)")
      try compareResults(of: query, with: expected, &random, [memory, file], "case \(number)")
      // A plain condition also means what it means for one row alone.
      if let condition, !condition.asksForUnsent,
        try query.classesRead(in: StoreConformance.schema) == nil
      {
        let all = try memory.read { try $0.records(of: query.className) }
        #expect(all.count { condition.holds(for: $0) == true } == counts[0], "case \(number)")
      }
    }
    #expect(found > Self.cases, "the queries find rows")
  }

  /// Asks for ids, counts, chosen fields and summaries.
  private func compareResults(
    of query: Query, with records: [Record], _ random: inout RandomQueries,
    _ stores: [any SyncStore],
    _ comment: Comment
  ) throws {
    let fields = random.fields(of: query.className)
    let (aggregates, groups) = random.summaries(of: query.className)
    let results = try stores.map { store in
      try store.read { db throws in
        let references = try db.references(query)
        #expect(references == records.map(\.reference), comment)
        #expect(try db.count(query) == records.count, comment)
        return (
          try db.values(of: fields, in: query),
          try db.summaries(aggregates, of: query, groupedBy: groups)
        )
      }
    }
    #expect(results[0].0 == results[1].0, "\(comment): \(fields) of \(query)")
    #expect(results[0].0.count == records.count, comment)
    #expect(results[0].1 == results[1].1, "\(comment): \(aggregates) by \(groups) of \(query)")
  }
}
