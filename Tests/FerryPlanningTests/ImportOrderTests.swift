// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

private typealias Samples = ImportPlannerTests

/// The records of a page may come in any order.
@Suite(.timeLimit(.minutes(1))) struct ImportOrderTests {
  private static let key = "0123456789abcdef0123"

  private func record(_ id: String, created: Int64, key: String = key) -> ServerRecord {
    Samples.record(id, "v1", ["title": "a"], key: key, created: created)
  }

  private func row(_ id: String, localID: Int64, created: Int64) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: localID), objectID: id,
      fields: ["title": "a"], createdAt: Timestamp(milliseconds: created),
      version: ServerVersion(rawValue: "v1"))
  }

  /// All orders of some records.
  private func orders(_ records: [ServerRecord]) -> [[ServerRecord]] {
    guard records.count > 1 else { return [records] }
    return records.indices.flatMap { index in
      var others = records
      let first = others.remove(at: index)
      return orders(others).map { [first] + $0 }
    }
  }

  @Test func `a create in doubt takes the oldest record with its key`() {
    let records = [
      record("g1", created: 3), record("g2", created: 4), record("g3", created: 5),
    ]
    var create = Samples.entry(.create)
    create.objectID = Self.key
    for records in orders(records) {
      let situation = Samples.situation(records, entry: create)
      let matches = Samples.planner().matches(in: situation)
      #expect(matches.map(\.record.objectID) == ["g1"])
    }
  }

  @Test func `creates in doubt come in the order of their rows`() {
    var situation = ImportSituation(records: [])
    for number in (1...9).reversed() {
      var create = Samples.entry(.create)
      create.localID = LocalID(rawValue: Int64(number))
      create.objectID = "key\(number)"
      situation.entries[create.objectID] = create
      situation.records.append(record("g\(number)", created: 9, key: create.objectID))
    }
    let matches = Samples.planner().matches(in: situation)
    #expect(matches.map(\.entry.localID.rawValue) == Array(1...9))
  }

  @Test func `a row goes to the oldest original`() {
    let records = [
      record("g2", created: 2), record("g3", created: 3), record("g4", created: 4),
    ]
    for records in orders(records) {
      var situation = ImportSituation(records: records, aliases: [Self.key: "g9"])
      situation.named["g9"] = row("g9", localID: 1, created: 9)
      let originals = Samples.planner().originals(in: situation)
      #expect(originals.map(\.record.objectID) == ["g2"])
    }
  }

  @Test func `originals come in the order of their rows`() {
    var situation = ImportSituation(records: [])
    for number in (1...9).reversed() {
      let (key, younger) = ("key\(number)", "y\(number)")
      situation.aliases[key] = younger
      situation.named[younger] = row(younger, localID: Int64(number), created: 9)
      situation.records.append(record("g\(number)", created: 1, key: key))
    }
    let originals = Samples.planner().originals(in: situation)
    #expect(originals.map(\.younger.localID.rawValue) == Array(1...9))
  }

  @Test func `a row goes to the oldest record that was created in its record's place`() {
    let records = [
      record("g2", created: 6, key: "g1"), record("g3", created: 7, key: "g1"),
      record("g4", created: 8, key: "g1"),
    ]
    for records in orders(records) {
      var situation = ImportSituation(records: records)
      situation.predecessors["g1"] = row("g1", localID: 1, created: 5)
      let successions = Samples.planner().successions(in: situation)
      #expect(successions.map(\.record.objectID) == ["g2"])
    }
  }

  @Test func `a record as old as that of the row did not take its place`() {
    for created in [4, 5] as [Int64] {
      var situation = ImportSituation(records: [record("g2", created: created, key: "g1")])
      situation.predecessors["g1"] = row("g1", localID: 1, created: 5)
      #expect(Samples.planner().successions(in: situation).isEmpty)
    }
  }

  @Test func `records that took the place of others come in the order of the rows`() {
    var situation = ImportSituation(records: [])
    for number in (1...9).reversed() {
      let old = "old\(number)"
      situation.predecessors[old] = row(old, localID: Int64(number), created: 1)
      situation.records.append(record("g\(number)", created: 2, key: old))
    }
    let successions = Samples.planner().successions(in: situation)
    #expect(successions.map(\.row.localID.rawValue) == Array(1...9))
  }

  // MARK: - Entries whose rows are gone or unknown

  @Test func `the record of an edit whose row is gone is inserted, and the edit is over`() {
    let edit = Samples.entry(.update, changed: ["title"], base: ["title": "a"])
    let plan = Samples.planner()
      .plan(Samples.situation([Samples.record("g1", "v2", ["title": "b"])], entry: edit))
    #expect(plan.done == [edit])
    #expect(plan.rows.map(\.objectID) == ["g1"])
    #expect(plan.rows.map(\.localID) == [nil])
    #expect(plan.actions.map(\.kind) == [.insert])
    #expect(plan.unchanged == 0)
  }

  @Test func `a record marked as deleted, of an edit whose row is gone, stays away`() {
    let edit = Samples.entry(.update, changed: ["title"], base: ["title": "a"])
    let marked = Samples.record("g1", "v2", ["title": "b", "isRemoved": true])
    let plan = Samples.planner(Samples.soft).plan(Samples.situation([marked], entry: edit))
    #expect(plan.done == [edit])
    #expect(plan.rows.isEmpty && plan.actions.isEmpty)
    #expect(plan.unchanged == 1)
  }

  @Test(arguments: [OutboxEntry.Kind.create, .deleteAfterCreate])
  func `a record under the id of a create that was not matched changes nothing`(
    _ kind: OutboxEntry.Kind
  ) {
    let plan = Samples.planner()
      .plan(
        Samples.situation([Samples.record("g1", "v2", ["title": "b"])], entry: Samples.entry(kind)))
    #expect(plan.rows.isEmpty && plan.actions.isEmpty && plan.done.isEmpty)
    #expect(plan.unchanged == 1)
  }

  @Test func `a plan names the records of which the app's resolver decided nothing usable`() {
    struct Failure: Error {}
    var planner = Samples.planner()
    planner.policy = .resolvingRecords { _ in throw Failure() }
    let edit = Samples.entry(.update, changed: ["title"], base: ["title": "a"])
    let plan = planner.plan(
      Samples.situation(
        [Samples.record("g1", "v2", ["title": "b"])], row: Samples.row("v1", ["title": "c"]),
        entry: edit))
    #expect(plan.resolverFailures.map(\.objectID) == ["g1"])
  }
}
