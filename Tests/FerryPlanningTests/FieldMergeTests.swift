// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

/// Single fields whose edits are merged, and those in which they collide.
@Suite(.timeLimit(.minutes(1)))
struct FieldMergeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var merge: FieldMerge
    var base: Value
    var local: Value
    var remote: Value
    var result: Value?
  }

  static let cases = [
    Case(
      testDescription: "both add 1", merge: .increment, base: 5, local: 6, remote: 6, result: 7),
    Case(
      testDescription: "both add to a missing number", merge: .increment, base: .null, local: 1,
      remote: 2, result: 3),
    Case(
      testDescription: "one adds to what the other cleared", merge: .increment, base: 5, local: 6,
      remote: .null, result: 1),
    Case(
      testDescription: "this device cleared it alone", merge: .increment, base: 5, local: .null,
      remote: 5, result: .null),
    Case(
      testDescription: "this device cleared what the other added to", merge: .increment, base: 5,
      local: .null, remote: 6, result: nil),
    Case(
      testDescription: "whole numbers and others", merge: .increment, base: 1, local: 1.5,
      remote: 3, result: 3.5),
    Case(
      testDescription: "a sum beyond all numbers", merge: .increment, base: .integer(-.max),
      local: .integer(.max), remote: 0, result: nil),
    Case(
      testDescription: "both add", merge: .set, base: ["a"], local: ["a", "b"], remote: ["c", "a"],
      result: ["c", "a", "b"]),
    Case(
      testDescription: "both remove", merge: .set, base: ["a", "b", "c"], local: ["b", "c"],
      remote: ["a", "b"], result: ["b"]),
    Case(
      testDescription: "one adds, one removes", merge: .set, base: ["a"], local: [],
      remote: ["a", "b"], result: ["b"]),
    Case(
      testDescription: "both add to a missing array", merge: .set, base: .null, local: ["a"],
      remote: ["b"], result: ["b", "a"]),
    Case(
      testDescription: "a side clears what it knew", merge: .set, base: ["a"], local: .null,
      remote: ["a", "b"], result: ["b"]),
    Case(
      testDescription: "one clears, one removes all", merge: .set, base: ["a"], local: [],
      remote: .null, result: .null),
    Case(
      testDescription: "objects and numbers by meaning", merge: .set, base: [["a": 1, "b": 2], 1],
      local: [["b": 2, "a": 1]], remote: [.number(1), ["a": 1, "b": 2], "x"],
      result: [["a": 1, "b": 2], "x"]),
    Case(
      testDescription: "a pointer is not the text of its id", merge: .set, base: .null,
      local: [.pointer(Pointer(className: "Team", objectID: "t1"))], remote: ["t1"],
      result: ["t1", .pointer(Pointer(className: "Team", objectID: "t1"))]),
    Case(
      testDescription: "other lines", merge: .lines, base: "a\nb\nc", local: "A\nb\nc",
      remote: "a\nb\nC", result: "A\nb\nC"),
    Case(
      testDescription: "a line added behind, another changed", merge: .lines, base: "a\nb",
      local: "a\nb\nc", remote: "x\nb", result: "x\nb\nc"),
    Case(
      testDescription: "the same lines", merge: .lines, base: "a\nb", local: "A\nb", remote: "X\nb",
      result: nil),
    Case(
      testDescription: "the same lines alike", merge: .lines, base: "a\nb\nc", local: "A\nb\nc",
      remote: "A\nb\nC", result: "A\nb\nC"),
    Case(
      testDescription: "one removes what the other edits", merge: .lines, base: "a\nb\nc",
      local: "a\nc", remote: "a\nB\nc", result: nil),
    Case(
      testDescription: "lines that end as in Windows", merge: .lines, base: "a\r\nb\r\nc",
      local: "A\r\nb\r\nc", remote: "a\r\nb\r\nC", result: "A\r\nb\r\nC"),
    Case(
      testDescription: "the same lines added between blank ones", merge: .lines, base: "p\n\nq",
      local: "p\n\nX\n\nq", remote: "T\n\np\n\nX\n\nq", result: "T\n\np\n\nX\n\nq"),
    Case(
      testDescription: "one more of equal lines, beside another one", merge: .lines,
      base: "egg\negg",
      local: "egg\negg\negg", remote: "milk\negg\negg\negg", result: nil),
    Case(
      testDescription: "the same blank line removed", merge: .lines, base: "p\n\n\nq",
      local: "p\n\nq", remote: "T\np\n\nq", result: "T\np\n\nq"),
    Case(
      testDescription: "a cleared text", merge: .lines, base: "a", local: .null, remote: "b",
      result: nil),
    Case(
      testDescription: "two forms of one letter are two lines", merge: .lines,
      base: "\u{e9}\nb\nc", local: "e\u{301}\nb\nc", remote: "\u{e9}\nb\nC",
      result: "e\u{301}\nb\nC"),
  ]

  @Test(arguments: cases) func `both sides' edits become one value`(_ item: Case) {
    #expect(
      item.merge.merge(base: item.base, local: item.local, remote: item.remote) == item.result)
  }

  @Test func `texts with more differing lines than can be compared are left to the policy`() {
    let lines = { (mark: String) -> Value in
      .string((0..<3_000).map { "\(mark)\($0)" }.joined(separator: "\n"))
    }
    #expect(
      FieldMerge.lines.merge(base: lines("a"), local: lines("b"), remote: lines("c")) == nil)
  }

  /// The value from which the server's came, where requests without an answer sent something.
  @Test(
    arguments: [
      (.lines, "a\nc\nd", ["a\nb\nc\nd"], "a\nc\nb\nd", "a\nb\nc\nd"),
      (.lines, "p\n\nq", ["p\n\nX\n\nq"], "T\np\n\nX\n\nq", "p\n\nX\n\nq"),
      (.lines, "a", ["a\nb"], "x\na", "a"), (.lines, "a\nb", ["a"], "a\nc", "a"),
      (.lines, "a", ["a\nb", "a\nb\nc"], "a\nb\nx", "a\nb"),
      (.set, ["old"], [["old", "a"]], ["old", "a", "b"], ["old", "a"]),
      (.set, ["old"], [["old", "a"]], ["new"], ["old"]),
      (.set, ["old"], [[]], ["new"], []),
    ] as [(FieldMerge, Value, [Value], Value, Value)])
  func `an edit that the server shows is part of what both had`(
    merge: FieldMerge, base: Value, sent: [Value], remote: Value, origin: Value
  ) {
    #expect(merge.origin(of: remote, base: base, sent: sent, isCreated: false) == origin)
  }

  @Test func `what a create sent was on the server, whatever became of it`() {
    let origin = FieldMerge.set.origin(of: [2], base: .null, sent: [[1, 2]], isCreated: true)
    #expect(origin == [1, 2])
  }

  @Test func `many objects merge in a moment`() {
    let many = (0..<20_000).map { Value.object(["number": .integer($0)]) }
    let merged = FieldMerge.set.merge(
      base: .array(many), local: .array(many + ["mine"]), remote: .array(["theirs"] + many))
    #expect(merged == .array(["theirs"] + many + ["mine"]))
  }

  @Test func `a number that no server can hold stays, if this side alone changed it`() {
    let large = Value.integer(.max)
    let outcome = Self.merge(base: ["likes": 3], local: ["likes": large], remote: ["likes": 3])
    #expect(outcome.values.last == large && outcome.changed == ["likes"])
    #expect(outcome.conflicts.isEmpty && outcome.losses.isEmpty)
  }

  @Test func `a merged field is sent, and is no conflict`() {
    let outcome = Self.merge(
      base: ["tags": ["a"], "text": "a\nb\nc"], local: ["tags": ["a", "b"], "text": "A\nb\nc"],
      remote: ["tags": ["a", "c"], "text": "a\nb\nC"])
    #expect(outcome.values == [["a", "c", "b"], "A\nb\nC", .null])
    #expect(outcome.changed == ["tags", "text"])
    #expect(outcome.conflicts.isEmpty && outcome.losses.isEmpty)
  }

  @Test func `a merge that gives the server's value leaves nothing to send`() {
    let outcome = Self.merge(
      base: ["tags": ["a", "b"]], local: ["tags": ["b"]], remote: ["tags": ["b", "c"]])
    #expect(outcome.values == [["b", "c"], .null, .null])
    #expect(outcome.changed.isEmpty && outcome.losses.isEmpty)
  }

  @Test func `where lines collide the policy decides, and the other text is kept`() {
    let outcome = Self.merge(
      base: ["text": "a"], local: ["text": "b"], remote: ["text": "c"])
    #expect(outcome.values == [.null, "c", .null])
    #expect(outcome.conflicts == ["text"] && outcome.changed.isEmpty)
    #expect(
      outcome.losses == [
        .init(reason: .remoteWon, side: .local, fields: ["text": "b"], kept: ["text": "c"])
      ])
  }

  private static let entity = Entity("Game") {
    Field("tags", .array, merge: .set)
    Field("text", .text, merge: .lines)
    Field("likes", .integer, merge: .increment)
  }

  private static func merge(
    base: Fields, local: Fields, remote: Fields
  ) -> ThreeWayMerge.Outcome {
    ThreeWayMerge(entity: entity, policy: .remoteWins)
      .merge(
        MergeTests.entry(base: base, local: local), row: MergeTests.row(local),
        remote: entity.fields.map { remote[$0.name] ?? .null }, acl: .null)
  }
}
