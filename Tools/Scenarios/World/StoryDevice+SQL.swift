// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import Synchronization

// Edits of another program in the database file, and SQL over the app's own connections.
extension StoryDevice {
  private struct AnyRow: Decodable {}

  /// Reads with SQL, and drops what comes.
  func read(sql: String) throws {
    _ = try sqliteStore().readSQL { reader throws(StoreError) in
      try reader.query(sql, as: AnyRow.self)
    }
  }

  /// Writes with SQL, in a transaction of its own.
  func write(sql: String) throws {
    try sqliteStore().writeSQL { transaction throws(StoreError) in
      _ = try transaction.execute(sql)
    }
  }

  private func sqliteStore() throws -> SQLiteStore {
    guard let store = store as? SQLiteStore else {
      throw StoryFault("there is no SQL on a store in memory; say \"options only sqlite\"")
    }
    return store
  }

  /// Runs statements in the `sqlite3` shell; `{g1}` in them is the row's object id, `{g1.localId}` its key here.
  func execute(_ statements: String, _ refusal: SQLRefusal?) throws {
    let store = try sqliteStore()
    var text = statements
    for match in statements.matches(of: /\{([A-Za-z][A-Za-z0-9_]*)(\.localId)?\}/) {
      let row = try store.read { try self.row(String(match.1), $0) }
      text = text.replacing(
        match.0, with: match.2 == nil ? "'\(row.objectID)'" : row.localID.description)
    }
    let message = try shell("\(text);")
    guard let refusal else {
      if let message { throw StoryFault("SQLite refused: \(message)") }
      // Nobody can read the rows of a table with a renamed column until the store is opened again.
      try? store.read { reader in
        try names.follow(on: name) { className, objectID in
          try reader.record(of: className, objectID: objectID)?.localID
        }
      }
      return
    }
    guard let message else { throw StoryFault("SQLite accepted a statement that it should refuse") }
    guard refusal.words.isEmpty || message.contains(refusal.words) else {
      throw StoryFault("SQLite refused in other words: \(message)")
    }
  }

  private static let starting = Mutex(())

  /// Gives lines to the `sqlite3` shell on the device's database.
  ///
  /// The story's chance seeds the shell, so that the ids which SQLite gives to inserted rows are the same
  /// each time.
  ///
  /// - Returns: Why it refused them; nil when it did not.
  func shell(_ lines: String) throws -> String? {
    guard let database else { return nil }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sqlite3")
    process.arguments = ["-batch", "-bail", database.path(percentEncoded: false)]
    let (input, errors) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    // Foundation starts one process at a time: its own bookkeeping of children is not safe otherwise.
    try Self.starting.withLock { _ in try process.run() }
    var generator = clock.generator
    let seed = Int32.random(in: 1...Int32.max, using: &generator)
    try input.fileHandleForWriting.write(
      contentsOf: Data(".timeout 5000\n.testctrl prng_seed \(seed)\n\(lines)\n".utf8))
    try input.fileHandleForWriting.close()
    let message = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus != 0 else { return nil }
    return String(decoding: message, as: UTF8.self).trimmed
  }
}
