// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1))) struct MergeTests {
  static let entity = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("venue", .object)
  }

  static func row(_ fields: Fields) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", fields: fields,
      createdAt: Timestamp(milliseconds: 0), version: ServerVersion(rawValue: "v1"))
  }

  static func entry(base: Fields, local: Fields) -> OutboxEntry {
    var entry = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", kind: .update,
      foldedThrough: .start)
    entry.changed = local.difference(from: base)
    entry.base = Fields(
      Dictionary(uniqueKeysWithValues: entry.changed.map { ($0, base[$0] ?? .null) }))
    entry.createdAt = Timestamp(milliseconds: 0)
    return entry
  }

  static func merge(
    base: Fields, local: Fields, remote: Fields, _ policy: ConflictPolicy = .remoteWins,
    unknown: Set<String> = [], attempts: [Attempt] = []
  ) -> ThreeWayMerge.Outcome {
    var entry = entry(base: base, local: local)
    entry.attempts = attempts
    entry.changed.formUnion(attempts.flatMap { $0.sent.names })
    for name in entry.changed where entry.base[name] == nil {
      entry.base[name] = base[name] ?? .null
    }
    return ThreeWayMerge(entity: entity, policy: policy, unknownFields: unknown)
      .merge(entry, row: row(local), remote: values(remote), acl: .null)
  }

  static func values(_ fields: Fields) -> [Value] { entity.fields.map { fields[$0.name] ?? .null } }

  static func attempt(_ sent: Fields, _ outcome: Attempt.Outcome = .unknown) -> Attempt {
    var attempt = Attempt(
      kind: .update, sent: sent, token: .start, startedAt: Timestamp(milliseconds: 0))
    attempt.outcome = outcome
    return attempt
  }

  // MARK: - One case each

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var base: Value = 0
    var local: Value
    var remote: Value
    var policy: ConflictPolicy = .remoteWins
    var sent: Value?
    var isUnknown = false
    var result: Value
    var isSent: Bool
    var lost: [ConflictRecord.Reason: Value] = [:]
  }

  static let cases = [
    Case(testDescription: "only here", local: 1, remote: 0, result: 1, isSent: true),
    Case(testDescription: "only there", local: 0, remote: 2, result: 2, isSent: false),
    Case(testDescription: "both alike", local: 2, remote: 2, result: 2, isSent: false),
    Case(
      testDescription: "1.0 is 1", base: 1, local: 2, remote: .number(1), result: 2, isSent: true),
    Case(
      testDescription: "both, the server wins", local: 1, remote: 2, result: 2, isSent: false,
      lost: [.remoteWon: 1]),
    Case(
      testDescription: "both, here wins", local: 1, remote: 2, policy: .localWins, result: 1,
      isSent: true, lost: [.localWon: 2]),
    Case(
      testDescription: "both, by field", local: 1, remote: 2,
      policy: .choosingByField(["score": .local]), result: 1, isSent: true, lost: [.localWon: 2]),
    Case(
      testDescription: "both, field not named", local: 1, remote: 2,
      policy: .choosingByField(["title": .local]), result: 2, isSent: false, lost: [.remoteWon: 1]),
    Case(
      testDescription: "resolved to the server's", local: 1, remote: 2,
      policy: .resolvingFields { $0.remote }, result: 2, isSent: false, lost: [.resolved: 1]),
    Case(
      testDescription: "resolved to what is here", local: 1, remote: 2,
      policy: .resolvingFields { $0.local }, result: 1, isSent: true, lost: [.resolved: 2]),
    Case(
      testDescription: "a resolver's value of the wrong type", local: 1, remote: 2,
      policy: .resolvingFields { _ in "x" }, result: 2, isSent: false, lost: [.resolverFailed: 1]),
    Case(
      testDescription: "S1: our own attempt arrived", local: 2, remote: 1, sent: 1, result: 2,
      isSent: true),
    Case(
      testDescription: "S1: our attempt arrived, edited back here", local: 0, remote: 1, sent: 1,
      result: 0, isSent: true),
    Case(
      testDescription: "S1: edited back, attempt not arrived yet", local: 0, remote: 0, sent: 1,
      result: 0, isSent: true),
    Case(
      testDescription: "S12: a field just declared conflicts with nothing", base: .null, local: 1,
      remote: 2, isUnknown: true, result: 1, isSent: true),
  ]

  @Test(arguments: cases) func `each field is merged by itself`(_ item: Case) {
    let outcome = Self.merge(
      base: ["score": item.base], local: ["score": item.local], remote: ["score": item.remote],
      item.policy, unknown: item.isUnknown ? ["score"] : [],
      attempts: item.sent.map { [Self.attempt(["score": $0])] } ?? [])
    #expect(outcome.values[1] == item.result)
    #expect(outcome.changed.contains("score") == item.isSent)
    let lost = Dictionary(uniqueKeysWithValues: outcome.losses.map { ($0.reason, $0.fields) })
    #expect(lost == item.lost.mapValues { ["score": $0] })
  }

  @Test func `a resolved third value records both sides as lost`() {
    let outcome = Self.merge(
      base: ["score": 0], local: ["score": 1], remote: ["score": 2], .resolvingFields { _ in 3 })
    #expect(outcome.values[1] == 3)
    #expect(outcome.changed == ["score"])
    #expect(
      outcome.losses == [
        .init(reason: .resolved, side: .local, fields: ["score": 1], kept: ["score": 3]),
        .init(reason: .resolved, side: .remote, fields: ["score": 2], kept: ["score": 3]),
      ])
  }

  // MARK: - Laws

  static let pool: [Value] = [.null, 0, 1, 2, 3]

  static func fields(_ random: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in ["title", "score", "venue"] {
      let number = Int.random(in: 0..<5, using: &random)
      if number == 0 { continue }
      fields[name] =
        name == "score"
        ? .integer(Int64(number))
        : name == "title" ? .string("t\(number)") : ["n": .integer(Int64(number))]
    }
    return fields
  }

  static let policies: [ConflictPolicy] = [
    .remoteWins, .localWins, .choosingByField(["title": .local]), .resolvingFields { $0.base },
    .resolvingFields { $0.local }, .resolvingRecords { $0.local.only($0.fields) },
    .resolvingRecords { $0.base.only(["score"]) },
  ]

  @Test(arguments: 0..<7) func `merging keeps to its laws`(_ policyIndex: Int) throws {
    var random = SeededGenerator(seed: UInt64(7 + policyIndex))
    let policy = Self.policies[policyIndex]
    for _ in 0..<1_500 {
      let base = Self.fields(&random)
      let local = Self.fields(&random)
      let remote = Self.fields(&random)
      let outcome = Self.merge(base: base, local: local, remote: remote, policy)
      try checkNothingInvented(outcome, base, local, remote)
      try checkRecorded(outcome, base, local, remote)
      // Only local edits: the local values stay, and nothing is lost.
      let alone = Self.merge(base: base, local: local, remote: base, policy)
      try #require(alone.values == Self.values(local))
      try #require(alone.losses.isEmpty && alone.changed == local.difference(from: base))
      // Only remote edits: the merge takes all of the server's values.
      let pulled = Self.merge(base: base, local: base, remote: remote, policy)
      try #require(pulled.values == Self.values(remote) && pulled.changed.isEmpty)
      // Merging again with the same server changes nothing.
      let merged = Fields(
        Dictionary(uniqueKeysWithValues: zip(Self.entity.fields.map(\.name), outcome.values)))
      let again = Self.merge(base: remote, local: merged, remote: remote, policy)
      try #require(again.values == outcome.values && again.losses.isEmpty)
      try #require(again.changed == outcome.changed)
    }
  }

  private func checkNothingInvented(
    _ outcome: ThreeWayMerge.Outcome, _ base: Fields, _ local: Fields, _ remote: Fields
  ) throws {
    for (field, value) in zip(Self.entity.fields, outcome.values) {
      let sources = [base, local, remote].map { $0[field.name] ?? .null }
      try #require(sources.contains(value))
    }
  }

  /// Checks that each edit of either side is in the row or in the conflict records.
  private func checkRecorded(
    _ outcome: ThreeWayMerge.Outcome, _ base: Fields, _ local: Fields, _ remote: Fields
  ) throws {
    for (field, value) in zip(Self.entity.fields, outcome.values) {
      let before = base[field.name] ?? .null
      for (side, edited) in [(ThreeWayMerge.Loss.Side.local, local), (.remote, remote)] {
        let edit = edited[field.name] ?? .null
        guard edit != before, edit != value else { continue }
        let lost = outcome.losses.filter { $0.side == side }.compactMap { $0.fields[field.name] }
        try #require(lost == [edit])
      }
    }
  }

  @Test func `disjoint edits commute`() throws {
    var random = SeededGenerator(seed: 99)
    for _ in 0..<1_500 {
      let base = Self.fields(&random)
      var one = base
      var other = base
      for field in Self.entity.fields {
        let value = Self.fields(&random)[field.name] ?? .null
        if Bool.random(using: &random) {
          one[field.name] = value
        } else {
          other[field.name] = value
        }
      }
      let local = Self.merge(base: base, local: one, remote: other)
      let remote = Self.merge(base: base, local: other, remote: one)
      try #require(local.values == remote.values)
      try #require(local.losses.isEmpty && local.conflicts.isEmpty)
    }
  }
}
