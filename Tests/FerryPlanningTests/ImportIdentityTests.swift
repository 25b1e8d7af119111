// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

private typealias Samples = ImportPlannerTests

/// Which local row belongs to a server record whose object id does not decide it.
@Suite(.timeLimit(.minutes(1))) struct ImportIdentityTests {
  static let key = "0123456789abcdef0123"

  /// A row of record g1, which its create made at 5.
  private func situation(_ records: ServerRecord...) -> ImportSituation {
    var situation = Samples.situation(records, aliases: [Self.key: "g1"])
    situation.named["g1"] = Samples.row("v1", ["title": "a"])
    return situation
  }

  private func double(_ id: String, created: Int64) -> ServerRecord {
    Samples.record(id, "v1", ["title": "b"], key: Self.key, created: created)
  }

  @Test func `a row moves to the oldest record of its create`() {
    let planner = Samples.planner()
    let young = double("g2", created: 9)
    #expect(planner.originals(in: situation(young)).isEmpty)
    #expect(planner.plan(situation(young)).duplicates == [.init(young, of: "g1")])
    let old = double("g3", created: 3)
    let oldest = double("g4", created: 2)
    let originals = planner.originals(in: situation(young, old, oldest))
    #expect(originals.map(\.record) == [oldest])
    #expect(originals.map(\.younger.objectID) == ["g1"])
  }

  @Test func `the record with the smaller id is the original when both have one date`() {
    let planner = Samples.planner()
    #expect(planner.originals(in: situation(double("g0", created: 5))).count == 1)
    #expect(planner.originals(in: situation(double("g2", created: 5))).isEmpty)
  }

  @Test func `a duplicate that is being deleted is not an original`() {
    var situation = situation(double("g0", created: 3))
    var entry = Samples.entry(.delete)
    entry.objectID = "g0"
    situation.entries["g0"] = entry
    #expect(Samples.planner().originals(in: situation).isEmpty)
  }

  // MARK: - A new record under the id of a record that was deleted locally

  private func deletion(createdAt: Int64?) -> OutboxEntry {
    var entry = Samples.entry(.delete, base: ["title": "a"])
    entry.createdAt = createdAt.map(Timestamp.init(milliseconds:))
    return entry
  }

  @Test(arguments: [4, nil])
  func `another record under the deleted id is inserted`(createdAt: Int64?) {
    let entry = deletion(createdAt: createdAt)
    let plan = Samples.planner().plan(
      Samples.situation([Samples.record("g1", "v2", ["title": "b"])], entry: entry))
    #expect(plan.done == [entry])
    #expect(plan.rows.count == 1)
    #expect(plan.actions.map(\.kind) == [.insert])
  }

  @Test func `a record deleted locally is deleted on the server too`() {
    let plan = Samples.planner().plan(
      Samples.situation(
        [Samples.record("g1", "v1", ["title": "a"])], entry: deletion(createdAt: 5)))
    #expect(plan.done.isEmpty)
    #expect(plan.rows.isEmpty)
  }

  @Test func `this device's late create does not count as another record`() {
    var entry = deletion(createdAt: 4)
    var attempt = Attempt(
      kind: .create, sent: ["title": "b"], token: .start, startedAt: Samples.time)
    attempt.outcome = .late
    entry.attempts = [attempt]
    let plan = Samples.planner().plan(
      Samples.situation([Samples.record("g1", "v2", ["title": "b"])], entry: entry))
    #expect(plan.done.isEmpty)
    #expect(plan.rows.isEmpty)
  }

  @Test func `another record under the id is not inserted when it is soft-deleted`() {
    let planner = Samples.planner(Samples.soft)
    let entry = deletion(createdAt: 4)
    let plan = planner.plan(
      Samples.situation([Samples.record("g1", "v2", ["isRemoved": true])], entry: entry))
    #expect(plan.done == [entry])
    #expect(plan.rows.isEmpty)
  }
}
