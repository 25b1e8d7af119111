// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

/// Conditions and sorting, by the rules of SQL.
@Suite(.timeLimit(.minutes(5)))
struct ConditionTests {
  private static let row = Record(
    className: "Game", localID: LocalID(rawValue: 7), objectID: "abc",
    fields: [
      "title": "b", "score": 2, "ratio": 1.5, "open": true,
      "day": .date(Timestamp(milliseconds: 1000)), "blob": .bytes([1, 2]),
      "league": .pointer(Pointer(className: "League", objectID: "m")), "cleared": .null,
    ])

  @Test(
    arguments: [
      (.field("title", .equal, "b"), true), (.field("title", .notEqual, "b"), false),
      (.field("title", .lessThan, "c"), true), (.field("title", .lessThan, "B"), false),
      (.field("title", .greaterThan, "aé"), true), (.field("title", .equal, "B"), false),
      (.field("score", .greaterThanOrEqual, 2), true), (.field("score", .lessThan, 2), false),
      (.field("score", .lessThanOrEqual, 2.0), true), (.field("ratio", .greaterThan, 1), true),
      (.field("open", .equal, true), true), (.field("open", .greaterThan, false), true),
      (.field("day", .lessThan, .date(Timestamp(milliseconds: 1001))), true),
      (.field("blob", .lessThan, .bytes([1, 2, 0])), true),
      (.field("league", .equal, .pointer(Pointer(className: "League", objectID: "m"))), true),
      (.field("objectId", .equal, "abc"), true),
      (.field("absent", .equal, 1), nil), (.field("cleared", .notEqual, 1), nil),
      (.field("score", .equal, .null), nil),
      (.isNull("absent"), true), (.isNull("cleared"), true), (.isNull("score"), false),
      (.oneOf("score", [1, 2]), true), (.oneOf("score", [1, 3]), false),
      (.oneOf("score", [1, .null]), nil), (.oneOf("score", [2, .null]), true),
      (.oneOf("absent", [1]), nil), (.oneOf("absent", []), false),
      (.all([]), true), (.any([]), false),
      (.field("absent", .equal, 1) && .field("score", .equal, 3), false),
      (.field("absent", .equal, 1) && .field("score", .equal, 2), nil),
      (.field("absent", .equal, 1) || .field("score", .equal, 2), true),
      (.field("absent", .equal, 1) || .field("score", .equal, 3), nil),
      (!.field("absent", .equal, 1), nil), (!.field("score", .equal, 2), false),
    ] as [(Condition, Bool?)])
  func `a condition holds as it does on the server`(condition: Condition, expected: Bool?) {
    #expect(condition.holds(for: Self.row) == expected)
  }

  private func sorted(_ values: [Value], by orders: SortOrder...) -> [Int64] {
    let rows = values.enumerated().map { index, value in
      Record(
        className: "Game", localID: LocalID(rawValue: Int64(index)), objectID: "o\(9 - index)",
        fields: ["f": value])
    }
    return SortOrder.sort(rows.reversed(), by: orders).map(\.localID.rawValue)
  }

  @Test func `no value comes first, and equal ones come by age`() {
    #expect(sorted([2, .null, 1, 2], by: .ascending("f")) == [1, 2, 0, 3])
    #expect(sorted([2, .null, 1, 2], by: .descending("f")) == [0, 3, 2, 1])
    #expect(sorted([2, .null, 1, 2]) == [0, 1, 2, 3])
    #expect(sorted([1, 1, 0], by: .ascending("f"), .ascending("objectId")) == [2, 1, 0])
    #expect(sorted([1, 1, 0], by: .descending("localId")) == [2, 1, 0])
  }

  @Test func `text sorts by its bytes`() {
    #expect(sorted(["b", "B", "a", "é", "z"], by: .ascending("f")) == [1, 2, 0, 4, 3])
  }
}
