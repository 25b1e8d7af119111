// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

/// The operations by which the server carries an edit out on the value that it has.
@Suite(.timeLimit(.minutes(1)))
struct FieldOperationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var merge: FieldMerge?
    var base: Value
    var local: Value
    var operation: FieldOperation?
    /// The server's value then, if nobody else wrote.
    var target: Value?
  }

  static let cases = [
    Case(
      testDescription: "an addition", merge: .increment, base: 5, local: 3,
      operation: .increment(by: -2), target: 3),
    Case(
      testDescription: "an addition to a missing number", merge: .increment, base: .null, local: 3,
      operation: .increment(by: 3), target: 3),
    Case(testDescription: "a cleared number", merge: .increment, base: 5, local: .null),
    Case(
      testDescription: "added elements", merge: .set, base: ["a"], local: ["b", "a", "b"],
      operation: .addUnique(["b"]), target: ["b", "a", "b"]),
    Case(
      testDescription: "elements of a missing array", merge: .set, base: .null, local: ["a"],
      operation: .addUnique(["a"]), target: ["a"]),
    Case(
      testDescription: "removed elements", merge: .set, base: ["a", "b"], local: ["b"],
      operation: .remove(["a"]), target: ["b"]),
    Case(
      testDescription: "added and removed elements, of which the removal waits", merge: .set,
      base: ["a", "b"], local: ["b", "c"], operation: .addUnique(["c"]), target: ["a", "b", "c"]),
    Case(
      testDescription: "another order", merge: .set, base: ["a", "b"], local: ["b", "a"],
      operation: .remove([]), target: ["b", "a"]),
    Case(testDescription: "a cleared array", merge: .set, base: ["a"], local: .null),
    Case(testDescription: "lines", merge: .lines, base: "a", local: "b"),
    Case(testDescription: "no merge", merge: nil, base: 1, local: 2),
  ]

  @Test(arguments: cases) func `an edit becomes an operation`(_ item: Case) {
    let operation = FieldOperation(item.merge, from: item.base, to: item.local)
    #expect(operation == item.operation)
    #expect(operation?.target(from: item.base, to: item.local) == item.target)
  }
}
