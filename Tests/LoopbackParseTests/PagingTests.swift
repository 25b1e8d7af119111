// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness
import Testing

@testable import LoopbackParse

/// Compares the indexes with a plain filter, on rows that share stamps.
@Suite(.timeLimit(.minutes(2)))
struct PagingTests {
  /// The page query of a sync: all rows after a stamp and an id.
  private func after(_ row: LoopbackValue?) -> LoopbackValue {
    guard let row, let id = row["objectId"], let stamp = row["updatedAt"]?.string else {
      return [:]
    }
    let date = LoopbackValue.date(stamp)
    return [
      "updatedAt": ["$gte": date],
      "$or": [["updatedAt": ["$gt": date]], ["updatedAt": date, "objectId": ["$gt": id]]],
    ]
  }

  @Test(arguments: [LoopbackCollation.codePoint, .english])
  func `a keyset lists every row once, whatever moments rows share`(
    _ collation: LoopbackCollation
  ) throws {
    var server = TestBackend { $0.collation = collation }
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<3000 {
      // A dozen stamps for all rows, so that whole pages share one.
      let stamp = LoopbackValue.string("2024-01-01T00:00:00.0\(10 + generator.next() % 12)Z")
      let row: LoopbackValue = [
        "objectId": .string(generator.objectId()), "updatedAt": stamp, "createdAt": stamp,
      ]
      try server.backend.load(["Big": [row]])
    }
    var seen: [String] = []
    var last: LoopbackValue?
    while true {
      let answer = server.send(
        "POST", "/classes/Big",
        ["_method": "GET", "order": "updatedAt,objectId", "limit": 100, "where": after(last)])
      let rows = try #require(answer.json?["results"]?.array)
      guard !rows.isEmpty else { break }
      seen += rows.compactMap { $0["objectId"]?.string }
      last = rows.last
    }
    #expect(seen.count == 3000)
    #expect(Set(seen).count == 3000)
    let all: LoopbackValue = ["createdAt": ["$gte": .date("2024-01-01T00:00:00.000Z")]]
    let counted = server.send(
      "POST", "/classes/Big", ["_method": "GET", "where": all, "count": 1, "limit": 0])
    #expect(counted.json?["count"] == 3000)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `an index finds what a plain filter finds`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var server = TestBackend { $0.allowCustomObjectId = true }
    var alive: [String] = []
    for step in 0..<1500 {
      let choice = generator.next() % 10
      if choice == 0, let id = alive.randomElement(using: &generator) {
        try server.backend.delete("T", id)
        alive.removeAll { $0 == id }
      } else if choice < 3, let id = alive.randomElement(using: &generator) {
        try server.backend.update("T", id, ["n": .number(Double(step))])
      } else {
        alive.append(try server.backend.create("T", ["n": .number(Double(step))]))
      }
    }
    let rows = server.backend.objects(of: "T")
    #expect(rows.count == alive.count)
    for axis in ["updatedAt", "createdAt"] {
      let stamps = rows.compactMap { $0[axis]?.string }.sorted()
      let low = try #require(stamps.randomElement(using: &generator))
      let high = try #require(stamps.randomElement(using: &generator))
      let expected = rows.filter { row in
        guard let stamp = row[axis]?.string else { return false }
        return stamp >= low && stamp < high
      }
      let condition = LoopbackValue.object([axis: ["$gte": .date(low), "$lt": .date(high)]])
      let found = server.ids(
        "T", ["where": condition, "limit": 10000, "order": .string("-" + axis)])
      #expect(Set(found) == Set(expected.compactMap { $0["objectId"]?.string }))
      let order = found.compactMap { server.backend.object("T", $0)?[axis]?.string }
      #expect(order == order.sorted(by: >))
      let counted = server.send(
        "POST", "/classes/T", ["_method": "GET", "where": condition, "count": 1, "limit": 0])
      #expect(counted.json?["count"] == .number(Double(expected.count)))
    }
  }

  @Test func `rows without an order come by their last change`() throws {
    var server = TestBackend { $0.allowCustomObjectId = true }
    for id in ["a", "b", "c"] { try server.backend.create("T", ["objectId": .string(id)]) }
    try server.backend.update("T", "a", ["n": 1])
    #expect(server.ids("T", [:]) == ["b", "c", "a"])
  }
}
