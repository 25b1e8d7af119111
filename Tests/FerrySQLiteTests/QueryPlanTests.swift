// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// Indexes serve a sync's queries: the time grows with the changes, not with the stored rows.
@Suite(.timeLimit(.minutes(1)))
struct QueryPlanTests {
  private func use(_ reader: any SyncReader) throws {
    _ = try reader.record(of: "Game", localID: LocalID(rawValue: 1))
    _ = try reader.record(of: "Game", objectID: "one")
    _ = try reader.records(of: "Game", objectIDs: ["one"])
    _ = try reader.records(of: "Game", localIDs: [LocalID(rawValue: 1)])
    _ = try reader.versions(of: "Game", objectIDs: ["one"])
    _ = try reader.outbox(of: "Game")
    _ = try reader.outboxEntries(of: "Game", localIDs: [LocalID(rawValue: 1)])
    _ = try reader.outboxEntries(of: "Game", objectIDs: ["one"])
    _ = try reader.outboxEntries(of: "Game", clientKeys: ["key"])
    _ = try reader.quarantined("Game", objectIDs: ["one"])
    _ = try reader.quarantine(of: "Game")
    _ = try reader.aliases(of: ["one"])
    _ = try reader.bookkeeping("key")
    _ = try reader.conflicts(limit: 1)
    _ = try reader.changes(after: .start, limit: 1)
    _ = try reader.pendingEntries(of: "Game")
    _ = try reader.token(ofReader: "view")
    _ = try reader.acknowledgedCount(of: "Game")
    _ = try reader.acknowledged(of: "Game", after: LocalID(rawValue: 1), limit: 1)
  }

  @Test func `a query for unsent rows looks at the unsent rows alone`() throws {
    let world = try TestWorld()
    let game = try world.importGame("one")
    try world.store.write { try $0.update("Game", game, ["title": "edited"]) }
    for query in [
      Query("Game", where: .isUnsent), Query("Game", where: .unsent([.parked]) && .isNull("title")),
    ] {
      let plan = try world.store.read { try $0.explain(query) }
      #expect(plan.scannedClasses.isEmpty, "\(plan.steps)")
      #expect(plan.steps.contains { $0.hasPrefix("SEARCH Game USING INTEGER PRIMARY KEY") })
      #expect(plan.steps.contains { $0.contains("SEARCH ferry_outbox") })
    }
  }

  @Test func `no query of a sync scans a table`() throws {
    let world = try TestWorld()
    let opening = try world.store.writer.withConnection { $0.preparedTexts }
    let one = try world.importGame("one")
    try world.foreign("INSERT INTO Game (league) VALUES ('0123456789abcdef0123')")
    let token = try world.store.sync(.full) { db throws in
      try use(db)
      try db.fold()
      let row = try #require(try db.record(of: "Game", objectID: "one"))
      let values = TestWorld.schema.entities[1].fields.map { row[$0.name] }
      let again = ImportRow(
        localID: one, objectID: "one", createdAt: .now, version: nil, acl: .null, values: values)
      try db.apply([again], to: "Game")
      try db.set(["title": "New"], of: "Game", localID: one)
      try db.acknowledgeCreate(
        of: "Game", localID: LocalID(rawValue: 2), objectID: "two", createdAt: .now)
      try db.removeOutboxEntry(of: "Game", localID: LocalID(rawValue: 2))
      try db.remove([one], from: "Game")
      try world.importRow("one", in: db)
      try db.removeFromQuarantine("Game", objectIDs: ["one"])
      try db.setBookkeeping("key", to: nil)
      return try db.lastToken()
    }
    try world.store.write { db throws in
      let game = try db.insert("Game", ["title": "Final"])
      try db.update(game, ["title": "Semi-final"])
      try db.delete(game)
      try db.setToken(token, ofReader: "view")
    }
    let plans = try world.store.writer.withConnection { connection throws(StoreError) in
      let texts = connection.preparedTexts.filter { !opening.contains($0) }
      var plans: [(String, String)] = []
      for sql in texts {
        plans += try connection.statement("EXPLAIN QUERY PLAN \(sql)").rows { (sql, $0.text(3)) }
      }
      return plans
    }
    #expect(plans.count > 40)
    // Tables with a row or two, the notes of transactions, the end of the log, and whole listings in the requested order. SQLite
    // sorts unfolded edits by row in a temporary file.
    let small = ["ferry_author", "ferry_reader", "CONSTANT ROW", "(subquery-1)", "GROUP BY"]
    for (sql, step) in plans where step.hasPrefix("SCAN") || step.contains("TEMP B-TREE") {
      let isFine =
        small.contains(where: step.contains) || sql.contains("ORDER BY id DESC LIMIT")
        || sql.contains("SELECT DISTINCT class, author")
        || sql.contains("SELECT DISTINCT class, localId")
        || sql.contains("FROM ferry_log_time WHERE")
        || sql.contains("FROM ferry_log WHERE token > ?")
      #expect(isFine, "\(step): \(sql)")
    }
    // The plan uses both columns of an index, because a class has many entries.
    let byTwo = plans.filter { $0.0.contains("FROM ferry_outbox WHERE class = ?1 AND") }
    #expect(byTwo.count == 4)
    for (sql, step) in byTwo { #expect(step.contains("class=? AND"), "\(step): \(sql)") }
  }
}
