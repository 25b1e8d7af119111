// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryPlanning

/// Walks every edge of the table in the documentation of `OutboxEntry`.
@Suite struct OutboxTransitionsTests {
  static let time = Timestamp(milliseconds: 1_000)
  static let later = Timestamp(milliseconds: 10_000_000)
  static let version = ServerVersion(rawValue: "v2")
  static let duration = Duration.seconds(120)
  static let refusal = Refusal(reason: .refused, message: "no")
  static let undecidable = Refusal(reason: .undecidable, message: "?")
  static let blocked = OutboxEntry.State.blocked(by: .newerVersion)
  static let row = Record(
    className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", fields: ["f": 1],
    createdAt: time, version: ServerVersion(rawValue: "v1"))

  /// Whether the entry is done, where the event says so.
  typealias Event = (inout OutboxEntry) -> Bool

  struct Edge: CustomTestStringConvertible {
    var from: String
    var event: String
    var to: String
    var entry: OutboxEntry
    var run: Event

    init(
      _ from: String, _ event: String, _ to: String, _ entry: OutboxEntry, _ run: @escaping Event
    ) {
      (self.from, self.event, self.to, self.entry, self.run) = (from, event, to, entry, run)
    }

    var testDescription: String { "\(from), \(event): \(to)" }
  }

  @Test func `every edge of the documented table is walked, and no other`() throws {
    var walked = Set<[String]>()
    for edge in Self.edges {
      var entry = edge.entry
      #expect(Self.name(entry.state) == edge.from, "\(edge.testDescription)")
      let isDone = edge.run(&entry)
      #expect((isDone ? "done" : Self.name(entry.state)) == edge.to, "\(edge.testDescription)")
      walked.insert([edge.from, edge.event, edge.to])
    }
    let documented = try TransitionTable.edges(
      in: "Sources/FerryPlanning/Outbox/OutboxEntry.swift")
    #expect(documented.subtracting(walked).sorted(by: { $0.joined() < $1.joined() }) == [])
    #expect(walked.subtracting(documented).sorted(by: { $0.joined() < $1.joined() }) == [])
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
