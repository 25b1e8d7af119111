// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Testing

@testable import FerrySQLite

/// No row leaves the planner's sight because a filter of ids is out of date.
@Suite(.timeLimit(.minutes(1)))
struct EntangledIDsTests {
  private static let ids = (0..<150).map { "game\($0)" }

  private func record(_ objectID: String) -> QuarantinedRecord {
    QuarantinedRecord(
      className: "Game", objectID: objectID, version: nil, raw: "{}", reason: "It is bad.",
      schemaFingerprint: "")
  }

  /// The ids of a long page that something concerns.
  private func entangled(
    _ world: TestWorld, after change: (any SyncTransaction) throws(StoreError) -> Void = { _ in }
  ) throws -> [String] {
    let page = try world.page(Self.ids, title: "New")
    return try world.store.sync(.full) { transaction throws(StoreError) in
      // The filter is there before the change.
      _ = try transaction.entangledRows(in: page)
      try change(transaction)
      return try transaction.entangledRows(in: page).map { Self.ids[$0] }
    }
  }

  private func quarantine(_ objectID: String, in store: SQLiteStore) throws {
    try store.sync(.full) { try $0.quarantine(record(objectID)) }
  }

  @Test func `ids are known that the connection or another one adds`() throws {
    let world = try TestWorld()
    try quarantine("game1", in: world.store)
    #expect(try entangled(world) == ["game1"])
    let known = ["game1", "game2", "game3", "game4"]
    let added = try entangled(world) { transaction throws(StoreError) in
      try transaction.quarantine(record("game2"))
      try transaction.remember(LocalID(rawValue: 9), objectID: "game3", of: "Game")
      try transaction.put(
        OutboxEntry(
          className: "Game", localID: LocalID(rawValue: 8), objectID: "game4", kind: .update,
          foldedThrough: .start))
    }
    #expect(added == known)
    #expect(try entangled(world) == known)
    try quarantine("game5", in: world.reopened())
    #expect(try entangled(world) == known + ["game5"])
  }

  @Test func `an id is known again whose removal was taken back`() throws {
    let world = try TestWorld()
    for id in ["game1", "game2"] { try quarantine(id, in: world.store) }
    let page = try world.page(Self.ids, title: "New")
    #expect(throws: StoreError.self) {
      try world.store.sync(.full) { transaction throws(StoreError) in
        try transaction.removeFromQuarantine("Game", objectIDs: ["game1"])
        _ = try transaction.entangledRows(in: page)
        throw StoreError(.database, "taken back")
      }
    }
    #expect(try entangled(world) == ["game1", "game2"])
  }

  @Test func `a filter holds all that was put in, and not much more`() {
    var filter = EntangledIDs()
    let numbers = 0..<40_000
    for number in numbers where number.isMultiple(of: 2) { filter.insert("id\(number)") }
    func count(isEven: Bool) -> Int {
      numbers.count { number in
        var id = "id\(number)"
        return number.isMultiple(of: 2) == isEven && id.withUTF8 { filter.mayHold($0) }
      }
    }
    #expect(count(isEven: true) == 20_000)
    // Ids that follow one another differ in their last bytes alone.
    #expect(count(isEven: false) < 200)
  }
}

extension SyncReader {
  /// Those of all rows of a page that something concerns.
  fileprivate func entangledRows(in page: RowBatch) throws(StoreError) -> [Int] {
    try entangledRows(among: Array(0..<page.rowCount), of: page, in: "Game")
  }
}
