// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore
import Synchronization
import Testing

@testable import FerrySQLite

/// The questions that a lazy list puts to SQLite.
@Suite(.timeLimit(.minutes(1)))
struct LazyRecordsTests {
  /// The questions for rows of the classes.
  private final class Questions: Sendable {
    let count = Mutex(0)
  }

  private func count(_ world: TestWorld, while body: () throws -> Void) throws -> Int {
    let questions = Questions()
    try withExtendedLifetime(questions) {
      // The one idle connection serves each read of this thread.
      func trace(_ mask: Int32) throws {
        try world.store.readers.withConnection { connection throws(StoreError) in
          try connection.check(
            sqlite3_trace_v2(
              connection.handle, UInt32(mask),
              { _, context, statement, _ in
                let sql = sqlite3_sql(OpaquePointer(statement)).map { String(cString: $0) } ?? ""
                if let context, sql.contains("FROM \"Game\"") || sql.contains("FROM \"League\"") {
                  Unmanaged<Questions>.fromOpaque(context).takeUnretainedValue().count
                    .withLock { $0 += 1 }
                }
                return 0
              }, Unmanaged.passUnretained(questions).toOpaque()))
        }
      }
      try trace(SQLITE_TRACE_STMT)
      try body()
      try trace(0)
    }
    return questions.count.withLock { $0 }
  }

  @Test func `a walk over a thousand rows and their pointers takes two queries for each hundred`()
    throws
  {
    let world = try TestWorld()
    try world.store.write { db in
      for number in 0..<1000 {
        let league = try db.insert("League", ["name": .string("L\(number)")])
        try db.insert("Game", ["title": .string("T\(number)"), "league": .pointer(league)])
      }
    }
    var found = 0
    let questions = try count(world) {
      for game in try world.store.lazyRecords(Query("Game", orderedBy: .descending("title"))) {
        let title = try game["title"].json.replacing("T", with: "L")
        if try game.pointer("league")?["name"].json == title { found += 1 }
      }
    }
    #expect(found == 1000)
    #expect(questions == 21, "the names, ten batches of games and ten of leagues")
    #expect(try count(world) { _ = try world.store.read { try $0.count(of: "Game") } } == 1)
  }

  @Test func `rows that several pointers lead to are read once`() throws {
    let world = try TestWorld()
    try world.store.write { db in
      let leagues = try (0..<3).map { try db.insert("League", ["name": .string("L\($0)")]) }
      for number in 0..<300 { try db.insert("Game", ["league": .pointer(leagues[number % 3])]) }
    }
    let questions = try count(world) {
      for game in try world.store.lazyRecords(Query("Game")) {
        #expect(try game.pointer("league")?["name"] != .null)
      }
    }
    #expect(questions == 5)
  }
}
