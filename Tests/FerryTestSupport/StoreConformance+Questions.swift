// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness
import Testing

extension StoreConformance {
  static let questions: [StoreCheck] = [
    StoreCheck("rows come by age, or in the order asked for, within limit and offset") { store in
      try store.write { transaction in
        for (title, score) in [("b", 1), ("a", 2), ("é", 1), ("B", .null)] as [(Value, Value)] {
          try transaction.insert("Game", ["title": title, "score": score])
        }
      }
      func titles(_ order: SortOrder..., limit: Int? = nil, offset: Int = 0) throws -> [Value] {
        try store.read {
          try $0.records(
            of: "Game", where: nil, orderedBy: order, limit: limit, offset: offset
          ).map { $0["title"] }
        }
      }
      #expect(try titles() == ["b", "a", "é", "B"])
      #expect(try titles(.ascending("title")) == ["B", "a", "b", "é"])
      #expect(try titles(.ascending("score")) == ["B", "b", "é", "a"])
      #expect(try titles(.descending("score")) == ["a", "b", "é", "B"])
      #expect(try titles(.descending("score"), .descending("localId")) == ["a", "é", "b", "B"])
      #expect(try titles(limit: 2) == ["b", "a"])
      #expect(try titles(limit: 2, offset: 3) == ["B"])
      #expect(try titles(limit: 0) == [])
      #expect(try titles(limit: -1) == [])
      #expect(try titles(offset: 9) == [])
    },
    StoreCheck("what cannot be asked is refused") { store in
      func ask(_ condition: Condition?, _ order: SortOrder...) throws {
        _ = try store.read {
          try $0.records(of: "Game", where: condition, orderedBy: order, limit: nil, offset: 0)
        }
      }
      expectStoreError(.unknownField) { try ask(.isNull("colour")) }
      expectStoreError(.unknownField) { try ask(nil, .ascending("colour")) }
      expectStoreError(.unknownField) { try ask(.field("localId\"--", .equal, 1)) }
      expectStoreError(.wrongType) { try ask(.field("title", .equal, 1)) }
      expectStoreError(.wrongType) { try ask(.field("objectId", .lessThan, 1)) }
      expectStoreError(.wrongType) { try ask(.oneOf("score", [1, "x"])) }
      expectStoreError(.wrongType) { try ask(.field("details", .lessThan, [:])) }
      expectStoreError(.wrongType) { try ask(nil, .descending("place")) }
      expectStoreError(.wrongType) { try ask(!(.isNull("title") && .field("score", .equal, ""))) }
      expectStoreError(.unknownField) {
        try store.read { try $0.count(of: "Game", where: .isNull("colour")) }
      }
    },
    StoreCheck("fields kept as JSON are compared as values") { store in
      let game = try store.write { try $0.insert("Game", everyType) }
      _ = try store.write { try $0.insert("Game", ["details": ["other": 1]]) }
      for (name, value) in [
        ("details", ["é": "x", "a": [1.0, .null, ["b": 2.5]]]),
        ("poster", .file(File(name: "a.jpg", url: "elsewhere"))),
        ("moves", everyType["moves"] ?? .null), ("place", everyType["place"] ?? .null),
        ("area", everyType["area"] ?? .null),
      ] as [(String, Value)] {
        let found = try store.read {
          try $0.records(of: "Game", where: .field(name, .equal, value))
        }
        #expect(found.map(\.localID) == [game.localID], "\(name)")
      }
    },
    StoreCheck("what the server says about a row can be asked for") { store in
      let ids = try store.importRows(
        "Game",
        (1...3).map { day in
          importRow(
            "Game", "s\(day)", ["title": .string("\(4 - day)")],
            createdAt: Timestamp(milliseconds: Int64(day)),
            version: ServerVersion(rawValue: "2026-03-0\(4 - day)T00:00:00.000Z"))
        })
      let own = try store.write { try $0.insert("Game", ["title": "9"]) }.localID
      func ask(_ condition: Condition?, _ order: SortOrder...) throws -> [LocalID] {
        try store.read {
          try $0.records(of: "Game", where: condition, orderedBy: order, limit: nil, offset: 0)
        }.map(\.localID)
      }
      let day = Value.date(Timestamp("2026-03-02T00:00:00.000Z") ?? .earliest)
      #expect(try ask(nil, .descending("updatedAt")) == [ids[0], ids[1], ids[2], own])
      #expect(try ask(nil, .ascending("updatedAt")) == [own, ids[2], ids[1], ids[0]])
      #expect(try ask(nil, .descending("createdAt")) == [ids[2], ids[1], ids[0], own])
      #expect(try ask(nil, .descending("objectId")).prefix(3) == [ids[2], ids[1], ids[0]])
      #expect(try ask(.field("updatedAt", .greaterThanOrEqual, day)) == [ids[0], ids[1]])
      #expect(try ask(.field("updatedAt", .equal, day)) == [ids[1]])
      #expect(try ask(.isNull("updatedAt")) == [own])
      #expect(try ask(.oneOf("updatedAt", [day])) == [ids[1]])
      #expect(
        try ask(.field("createdAt", .lessThan, .date(Timestamp(milliseconds: 2)))) == [ids[0]])
      #expect(try ask(.isNull("createdAt")) == [own])
      #expect(try ask(.oneOf("objectId", ["s1", "s3"])) == [ids[0], ids[2]])
      expectStoreError(.wrongType) { _ = try ask(.field("updatedAt", .equal, "2026-03-02")) }
    },
    StoreCheck("conditions and orders mean what they mean in plain Swift") { store in
      var generator = SeededGenerator(seed: 28)
      try store.write { transaction in
        for _ in 0..<60 { try transaction.insert("Game", randomFields(&generator)) }
      }
      try store.importRows(
        "Game",
        (0..<10).map { importRow("Game", "s\($0)", randomFields(&generator)) })
      let all = try store.read { try $0.records(of: "Game") }
      for _ in 0..<300 {
        let condition = randomCondition(depth: 3, &generator)
        let order = randomOrder(&generator)
        let expected = SortOrder.sort(
          all.filter { condition.holds(for: $0) == true }, by: order)
        let found = try store.read {
          try $0.records(of: "Game", where: condition, orderedBy: order, limit: nil, offset: 0)
        }
        #expect(
          found.map(\.localID) == expected.map(\.localID), "\(condition) by \(order)")
        let count = try store.read { try $0.count(of: "Game", where: condition) }
        #expect(count == expected.count, "\(condition)")
      }
    },
  ]

  private static let texts: [Value] = ["", "a", "b", "B", "ä", "a\u{308}", "10", "9"]

  private static func randomValue(_ name: String, _ generator: inout SeededGenerator) -> Value {
    let small = Int64.random(in: -2...2, using: &generator)
    switch name {
    case "title": return texts.randomElement(using: &generator) ?? .null
    case "score": return .integer(small)
    case "rating": return .number(Double(small) / 2)
    case "isOpen": return .boolean(small > 0)
    case "playedAt": return .date(Timestamp(milliseconds: small))
    case "league": return .pointer(Pointer(className: "League", objectID: "l\(small)"))
    case "logo": return .bytes(Array(repeating: 1, count: Int(small + 2)))
    default: return .string("s\(small)")
    }
  }

  private static let names = [
    "title", "score", "rating", "isOpen", "playedAt", "league", "logo",
  ]

  private static func randomFields(_ generator: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in names {
      let isNull = Int.random(in: 0..<4, using: &generator) == 0
      fields[name] = isNull ? .null : randomValue(name, &generator)
    }
    return fields
  }

  private static func randomCondition(
    depth: Int, _ generator: inout SeededGenerator
  ) -> Condition {
    let name = (names + ["objectId"]).randomElement(using: &generator) ?? "title"
    func value(_ generator: inout SeededGenerator) -> Value {
      Int.random(in: 0..<8, using: &generator) == 0 ? .null : randomValue(name, &generator)
    }
    switch Int.random(in: 0..<(depth > 0 ? 6 : 3), using: &generator) {
    case 0:
      let comparisons: [Condition.Comparison] = [
        .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      ]
      return .field(
        name, comparisons.randomElement(using: &generator) ?? .equal, value(&generator))
    case 1: return .isNull(name)
    case 2:
      let count = Int.random(in: 0..<3, using: &generator)
      return .oneOf(name, (0..<count).map { _ in value(&generator) })
    case 3: return .not(randomCondition(depth: depth - 1, &generator))
    case 4:
      let count = Int.random(in: 0..<3, using: &generator)
      return .all((0..<count).map { _ in randomCondition(depth: depth - 1, &generator) })
    default:
      let count = Int.random(in: 0..<3, using: &generator)
      return .any((0..<count).map { _ in randomCondition(depth: depth - 1, &generator) })
    }
  }

  private static func randomOrder(_ generator: inout SeededGenerator) -> [SortOrder] {
    (0..<Int.random(in: 0..<3, using: &generator)).map { _ in
      let all = names + ["objectId", "createdAt", "updatedAt", "localId"]
      let name = all.randomElement(using: &generator) ?? "title"
      return Bool.random(using: &generator) ? .ascending(name) : .descending(name)
    }
  }
}
