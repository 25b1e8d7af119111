// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryPlanning

/// Every state that an entry can reach, and every edge between them.
@Suite(.timeLimit(.minutes(5))) struct OutboxTransitionsTests {
  static let time = Timestamp(milliseconds: 1_000)
  static let later = Timestamp(milliseconds: 10_000_000)
  static let version = ServerVersion(rawValue: "v2")
  static let duration = Duration.seconds(120)
  static let refusal = Refusal(reason: .refused, message: "no")
  static let undecidable = Refusal(reason: .undecidable, message: "?")
  static let row = Record(
    className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", fields: ["f": 1],
    createdAt: time, version: ServerVersion(rawValue: "v1"))

  private static let walk = OutboxWalk()
  /// The edge that needs two fields, and the walk has one.
  private static let edgeOfTwoFields = ["parked", "join", "ready"]

  @Test func `the reachable states and edges are known in number`() {
    #expect(Self.walk.places.count == 41_822)
    #expect(Self.walk.edges.count == 103)
  }

  @Test func `the documented table has every reachable edge, and no other`() throws {
    let documented = try TransitionTable.edges(
      in: "Sources/FerryPlanning/Outbox/OutboxEntry.swift")
    // The table leaves out most events that keep the state.
    let moving = Self.walk.edges.filter { $0[0] != $0[2] }
    let unreachable = documented.subtracting(Self.walk.edges).subtracting([Self.edgeOfTwoFields])
    #expect(moving.subtracting(documented).map { $0.joined(separator: ", ") }.sorted() == [])
    #expect(unreachable.map { $0.joined(separator: ", ") }.sorted() == [])
  }

  @Test func `an import that takes one field of a refused change has the other sent`() {
    var entry = OutboxEntry(editing: Self.row, foldedThrough: .start)
    entry.overwrite(["f": 0, "g": 0])
    entry.refuse(Self.refusal)
    let isDone = entry.join(["g"], onto: ["f": 1], version: Self.version, isConfirmed: false)
    #expect([Self.edgeOfTwoFields[0], "join", Self.name(entry.state)] == Self.edgeOfTwoFields)
    #expect(!isDone)
  }

  @Test func `a state fits its attempts`() {
    let misfits = Self.walk.places.filter { _, place in
      let entry = place.entry
      return switch entry.state {
      case .sending: entry.attempts.last?.outcome != .unknown
      case .inDoubt: !entry.hasUnresolvedAttempts
      case .ready, .blocked, .confirming: entry.hasUnresolvedAttempts
      case .parked: false
      }
    }
    #expect(misfits.keys.sorted() == [])
  }

  @Test func `an edit is never taken for sent`() {
    let misfits = Self.walk.places.filter { _, place in
      place.entry.kind == .update && place.row != nil && place.entry.state == .confirming
        && !place.entry.changed.isEmpty
    }
    #expect(misfits.keys.sorted() == [])
  }

  static func name(_ state: OutboxEntry.State) -> String {
    switch state {
    case .ready: "ready"
    case .sending: "sending"
    case .inDoubt: "in doubt"
    case .parked: "parked"
    case .blocked: "blocked"
    case .confirming: "confirming"
    }
  }
}
