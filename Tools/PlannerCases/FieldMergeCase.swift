// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Three values of a field with a merge.
struct FieldMergeCase {
  private let merge: FieldMerge
  private let base: Value
  private let local: Value
  private let remote: Value

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let item = FieldMergeCase(&chance)
    try item.checkSides()
    switch item.merge {
    case .increment: try item.checkIncrements()
    case .set: try item.checkSets()
    case .lines: try item.checkLines()
    }
  }

  private init(_ chance: inout SeededGenerator) {
    merge = chance.pick(FieldMerge.allCases)
    base = Self.value(of: merge, &chance)
    local = Self.value(of: merge, &chance)
    remote = Self.value(of: merge, &chance)
  }

  private static func value(of merge: FieldMerge, _ chance: inout SeededGenerator) -> Value {
    guard !chance.one(in: 8) else { return .null }
    switch merge {
    case .increment:
      let number = Int64(chance.number(below: 7)) - 3
      return chance.one(in: 3) ? .number(Double(number) / 4) : .integer(number)
    case .set: return .array(["a", 1, ["k": 2], true].filter { _ in chance.one(in: 2) })
    case .lines:
      let lines = ["a", "b", "c", "d", "e"].map { chance.one(in: 4) ? $0 + "!" : $0 }
      return .string(lines.filter { _ in !chance.one(in: 5) }.joined(separator: "\n"))
    }
  }

  private var text: String { "\(merge): base \(base), local \(local), remote \(remote)" }

  private func merged(_ base: Value, _ local: Value, _ remote: Value) -> Value? {
    merge.merge(base: base, local: local, remote: remote)
  }

  private func checkSides() throws(BrokenLaw) {
    try law(merged(base, base, remote) == remote, "without an edit here, theirs stays", text)
    try law(merged(base, local, base) == local, "without an edit there, ours stays", text)
    let isCleared = merge == .increment && (local.isNull || remote.isNull)
    try law(
      isCleared
        || merged(base, local, remote).map(Elements.init)
          == merged(base, remote, local).map(Elements.init),
      "which side is which does not matter", text)
    guard let result = merged(base, local, remote) else { return }
    try law(merged(remote, result, remote) == result, "a second merge changes nothing", text)
    try law(
      merge == .increment || merged(base, local, local) == local, "two equal edits stay", text)
  }

  /// The sum of what both sides added; a missing value counts as 0.
  private func checkIncrements() throws(BrokenLaw) {
    guard !local.isNull else { return }
    let number = { (value: Value) in value.double ?? 0 }
    let sum = number(base) + (number(local) - number(base)) + (number(remote) - number(base))
    guard local != base, remote != base else { return }
    try law(merged(base, local, remote)?.double == sum, "what both sides added is there", text)
  }

  /// Each element is there if and only if no side removed it, and one side at least had it.
  private func checkSets() throws(BrokenLaw) {
    guard let result = merged(base, local, remote) else {
      return try law(false, "sets never collide", text)
    }
    for element in ["a", 1, ["k": 2], true] as [Value] {
      let (was, here, there) = (base.has(element), local.has(element), remote.has(element))
      let stays = was ? here && there : here || there
      try law(result.has(element) == stays, "additions and removals of both sides stay", text)
    }
  }

  /// Where each side changed other lines, with a line between them that both have, all changes stay.
  private func checkLines() throws(BrokenLaw) {
    guard case .string(let base) = base, case .string(let local) = local,
      case .string(let remote) = remote
    else { return }
    let joined = merged(
      .string("\(base)\n=\nend"), .string("\(local)\n=\nend"), .string("\(base)\n=\n\(remote)"))
    try law(joined == .string("\(local)\n=\n\(remote)"), "edits of other lines stay", text)
  }
}

/// The elements of an array without their order, or any other value as it is.
private struct Elements: Equatable {
  let value: Value

  static func == (left: Elements, right: Elements) -> Bool {
    guard case .array(let one) = left.value, case .array(let other) = right.value else {
      return left.value == right.value
    }
    return one.count == other.count && one.allSatisfy(other.contains)
  }
}

extension Value {
  fileprivate func has(_ element: Value) -> Bool {
    if case .array(let elements) = self { elements.contains(element) } else { false }
  }
}
