// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Foundation
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1))) struct ConflictPolicyTests {
  private struct Failure: Error, CustomStringConvertible {
    var description: String { "out of ideas" }
  }

  /// Both sides changed the title and the score; only the server changed the venue.
  private static func merge(_ policy: ConflictPolicy) -> ThreeWayMerge.Outcome {
    MergeTests.merge(
      base: ["title": "base", "score": 0], local: ["title": "local", "score": 1],
      remote: ["title": "remote", "score": 2, "venue": ["n": 1]], policy)
  }

  @Test func `policies without a resolver give different results`() {
    let results = [
      ConflictPolicy.remoteWins, .localWins, .choosingByField(["score": .local]),
      .choosingByField(["title": .local]),
    ].map { Self.merge($0).values.prefix(2) }
    #expect(results == [["remote", 2], ["local", 1], ["remote", 1], ["local", 2]])
  }

  @Test func `a resolver of records sees the whole record`() {
    let outcome = Self.merge(
      .resolvingRecords { conflict in
        #expect(conflict.record.objectID == "g1")
        #expect(conflict.fields == ["title", "score"])
        #expect(conflict.base == ["title": "base", "score": 0, "venue": .null])
        #expect(conflict.local == ["title": "local", "score": 1, "venue": .null])
        #expect(conflict.remote == ["title": "remote", "score": 2, "venue": ["n": 1]])
        return ["title": "both", "score": 1]
      })
    #expect(outcome.values == ["both", 1, ["n": 1]])
    #expect(outcome.changed == ["title", "score"])
    #expect(
      outcome.losses == [
        .init(
          reason: .resolved, side: .local, fields: ["title": "local"], kept: ["title": "both"]),
        .init(
          reason: .resolved, side: .remote, fields: ["title": "remote", "score": 2],
          kept: ["title": "both", "score": 1]),
      ])
    #expect(outcome.resolverFailure == nil)
  }

  @Test func `the server's value stays for a field that a resolver of records leaves out`() {
    let outcome = Self.merge(.resolvingRecords { _ in ["score": 3.0] })
    #expect(outcome.values.prefix(2) == ["remote", 3])
    #expect(outcome.changed == ["score"])
    #expect(outcome.losses.allSatisfy { $0.reason == .resolved })
    #expect(outcome.resolverFailure == nil)
  }

  @Test func `a resolver is not called without a conflict`() {
    let policies: [ConflictPolicy] = [
      .resolvingFields { conflict in
        Issue.record("called")
        return conflict.local
      },
      .resolvingRecords { _ in
        Issue.record("called")
        return [:]
      },
    ]
    for policy in policies {
      let outcome = MergeTests.merge(
        base: ["score": 0], local: ["score": 1], remote: ["score": 0, "title": "remote"], policy)
      #expect(outcome.values.prefix(2) == ["remote", 1])
    }
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var resolver: @Sendable (RecordConflict) throws -> Fields
    var sentence: String
  }

  static let mistakes = [
    Mistake(
      testDescription: "throws", resolver: { _ in throw Failure() },
      sentence: "It threw an error: out of ideas"),
    Mistake(
      testDescription: "gives a text for a number",
      resolver: { _ in ["title": "both", "score": "3"] },
      sentence: "It gave a value that the field score cannot hold. A text cannot stand in a field "
        + "of the type integer. Write a whole number, such as 12."),
    Mistake(
      testDescription: "gives a number that the server would change",
      resolver: { _ in ["score": .integer(Value.largestInteger + 1)] },
      sentence: "It gave a value that the field score cannot hold. 9007199254740993 is beyond "
        + "±2^53, where the server's numbers are no longer exact."),
    Mistake(
      testDescription: "gives a field that is not in conflict", resolver: { $0.local },
      sentence: "It gave a value for venue, which is not in conflict."),
    Mistake(
      testDescription: "gives a field that is not declared",
      resolver: { _ in ["score": 3, "scores": 3] },
      sentence: "It gave a value for scores, which is not in conflict."),
  ]

  @Test(arguments: mistakes)
  func `the server's values stay if a resolver of records fails`(_ mistake: Mistake) {
    let outcome = Self.merge(.resolvingRecords(mistake.resolver))
    #expect(outcome.values == ["remote", 2, ["n": 1]])
    #expect(outcome.changed.isEmpty)
    #expect(
      outcome.losses == [
        .init(
          reason: .resolverFailed, side: .local, fields: ["title": "local", "score": 1],
          kept: ["title": "remote", "score": 2])
      ])
    #expect(outcome.resolverFailure == mistake.sentence)
  }

  @Test func `a failure for one field leaves the other fields to the resolver`() {
    let outcome = Self.merge(
      .resolvingFields { conflict in
        guard conflict.field == "title" else { throw Failure() }
        return "both"
      })
    #expect(outcome.values.prefix(2) == ["both", 2])
    #expect(outcome.changed == ["title"])
    #expect(
      outcome.losses == [
        .init(
          reason: .resolved, side: .local, fields: ["title": "local"], kept: ["title": "both"]),
        .init(
          reason: .resolved, side: .remote, fields: ["title": "remote"], kept: ["title": "both"]),
        .init(reason: .resolverFailed, side: .local, fields: ["score": 1], kept: ["score": 2]),
      ])
    #expect(outcome.resolverFailure == "It threw an error for the field score: out of ideas")
  }

  // MARK: - The example of the documentation

  private static let example: ConflictPolicy = {
    // Example begins
    // The title and the score of a finished game belong together.
    let policy = ConflictPolicy.resolvingRecords { conflict in
      guard conflict.local["isOver"] == true else { return [:] }
      return conflict.local.only(conflict.fields)
    }
    // Example ends
    return policy
  }()

  @Test func `the example of the documentation is the one that is tested`() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let parts = try text("Tests/FerryPlanningTests/ConflictPolicyTests.swift")
      .components(separatedBy: "    // Example ")
    let lines = try #require(parts.dropFirst().first).split(separator: "\n").dropFirst()
    let example = lines.map { "/// " + $0.dropFirst(4) + "\n" }.joined()
    let documentation = try text("Sources/FerryPlanning/Import/ConflictPolicy.swift")
    #expect(documentation.contains("/// ```swift\n\(example)"))
  }

  @Test(arguments: [true, false])
  func `the example of the documentation keeps both fields together`(isOver: Bool) throws {
    let entity = Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("isOver", .boolean)
    }
    let local: Fields = ["title": "local", "score": 1, "isOver": .boolean(isOver)]
    let outcome = ThreeWayMerge(entity: entity, policy: Self.example).merge(
      MergeTests.entry(base: ["title": "base", "score": 0], local: local),
      row: MergeTests.row(local), remote: ["remote", 2, .null], acl: .null)
    #expect(outcome.values == (isOver ? ["local", 1, true] : ["remote", 2, false]))
  }
}
