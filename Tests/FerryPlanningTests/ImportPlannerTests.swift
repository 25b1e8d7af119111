// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1))) struct ImportPlannerTests {
  static let entity = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("isRemoved", .boolean)
  }
  static let soft = entity.deletions(.softDelete(field: "isRemoved"))
  static let first = LocalID(rawValue: 1)
  static let time = Timestamp(milliseconds: 1_000_000)

  static func planner(
    _ entity: Entity = entity, _ deletionPolicy: DeletionPolicy = .deleteWins
  ) -> ImportPlanner {
    ImportPlanner(
      entity: entity, deletionPolicy: deletionPolicy, now: time,
      listingStartedAt: Timestamp(milliseconds: 900_000))
  }

  static func record(
    _ id: String = "g1", _ version: String = "v2", _ fields: Fields, key: String? = nil,
    created: Int64 = 5
  ) -> ServerRecord {
    ServerRecord(
      objectID: id, createdAt: Timestamp(milliseconds: created),
      version: ServerVersion(rawValue: version),
      values: entity.fields.map { fields[$0.name] ?? .null }, clientKey: key)
  }

  static func row(_ version: String? = "v1", _ fields: Fields) -> Record {
    Record(
      className: "Game", localID: first, objectID: "g1", fields: fields,
      createdAt: Timestamp(milliseconds: 5), version: version.map(ServerVersion.init(rawValue:)))
  }

  static func entry(
    _ kind: OutboxEntry.Kind, changed: Set<String> = [], base: Fields = Fields()
  ) -> OutboxEntry {
    var entry = OutboxEntry(
      className: "Game", localID: first, objectID: "g1", kind: kind, foldedThrough: .start)
    entry.changed = changed
    entry.base = base
    if kind == .update || kind == .delete {
      entry.createdAt = Timestamp(milliseconds: 5)
      entry.baseVersion = ServerVersion(rawValue: "v1")
    }
    return entry
  }

  static func situation(
    _ records: [ServerRecord], row: Record? = nil, entry: OutboxEntry? = nil,
    aliases: [String: String] = [:]
  ) -> ImportSituation {
    var situation = ImportSituation(records: records, aliases: aliases)
    if let row {
      situation.rows[row.objectID] = row
      situation.versions[row.objectID] = StoredVersion(
        localID: row.localID, objectID: row.objectID, createdAt: row.createdAt,
        version: row.version)
    }
    if let entry { situation.entries[entry.objectID] = entry }
    return situation
  }

  // MARK: - Rows without unsent changes

  @Test func `a new record is inserted`() {
    let plan = Self.planner().plan(Self.situation([Self.record("g1", "v1", ["title": "a"])]))
    #expect(plan.rows.count == 1)
    #expect(plan.rows.first?.localID == nil)
    #expect(plan.actions.map(\.kind) == [.insert])
  }

  struct StoredCase: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var stored: String?
    var here: Fields
    var there: Fields
    var writes: Bool
    var updates: Set<String>
  }

  static let storedCases = [
    StoredCase(
      testDescription: "the same", stored: "v2", here: ["title": "a"], there: ["title": "a"],
      writes: false, updates: []),
    StoredCase(
      testDescription: "another version", stored: "v1", here: ["title": "a"],
      there: ["title": "b"], writes: true, updates: ["title"]),
    StoredCase(
      testDescription: "an earlier stamp is a change too", stored: "v9", here: ["score": 1],
      there: ["score": 2], writes: true, updates: ["score"]),
    StoredCase(
      testDescription: "S21: one version, two contents", stored: "v2", here: ["title": "a"],
      there: ["title": "b"], writes: true, updates: ["title"]),
    StoredCase(
      testDescription: "our own push comes back", stored: "v1", here: ["title": "a"],
      there: ["title": "a"], writes: true, updates: []),
    StoredCase(
      testDescription: "not seen since its create", stored: nil, here: ["title": "a"],
      there: ["title": "a"], writes: true, updates: []),
    StoredCase(
      testDescription: "S33: 1 as 1.0", stored: "v2", here: ["score": 1],
      there: ["score": .number(1)], writes: false, updates: []),
    StoredCase(
      testDescription: "a field was cleared", stored: "v1", here: ["title": "a", "score": 1],
      there: ["title": "a"], writes: true, updates: ["score"]),
  ]

  @Test(arguments: storedCases)
  func `a known record changes only the fields that differ`(_ item: StoredCase) {
    let plan = Self.planner().plan(
      Self.situation(
        [Self.record("g1", "v2", item.there)], row: Self.row(item.stored, item.here)))
    #expect(plan.rows.isEmpty != item.writes)
    #expect(plan.rows.allSatisfy { $0.localID == Self.first && $0.version?.rawValue == "v2" })
    #expect(Set(plan.actions.flatMap(\.fields)) == item.updates)
    #expect(plan.unchanged == (item.updates.isEmpty ? 1 : 0))
  }

  // MARK: - Unsent edits

  @Test func `edits of both sides are merged`() throws {
    let entry = Self.entry(.update, changed: ["title"], base: ["title": "a"])
    let plan = Self.planner().plan(
      Self.situation(
        [Self.record("g1", "v2", ["title": "a", "score": 5])],
        row: Self.row("v1", ["title": "b", "score": 1]), entry: entry))
    let row = try #require(plan.rows.first)
    #expect(row.values == ["b", 5, .null])
    let kept = try #require(plan.entries.first)
    #expect(kept.changed == ["title"] && kept.base == ["title": "a"])
    #expect(kept.baseVersion?.rawValue == "v2")
    #expect(plan.conflicts.isEmpty && plan.done.isEmpty)
  }

  @Test func `a conflict is decided, and the lost value is recorded`() throws {
    let entry = Self.entry(.update, changed: ["title"], base: ["title": "a"])
    let plan = Self.planner().plan(
      Self.situation(
        [Self.record("g1", "v2", ["title": "c"])], row: Self.row("v1", ["title": "b"]),
        entry: entry))
    #expect(plan.rows.first?.values[0] == "c")
    #expect(plan.done.count == 1 && plan.entries.isEmpty)
    #expect(plan.conflicts.map(\.lost) == [["title": "b"]])
    #expect(plan.conflicts.map(\.reason) == [.remoteWon])
    #expect(plan.actions.map(\.kind) == [.merge])
  }

  @Test
  func `a timed-out attempt keeps its entry until the maximum request duration is over`() throws {
    var attempt = Attempt(
      kind: .update, sent: ["title": "b"], token: .start,
      startedAt: Timestamp(milliseconds: 890_000))
    attempt.outcome = .late
    var entry = Self.entry(.update, base: ["title": "c"])
    entry.enter(.confirming)
    entry.attempts = [attempt]
    let situation = Self.situation(
      [Self.record("g1", "v2", ["title": "c"])], row: Self.row("v1", ["title": "c"]),
      entry: entry)
    let early = Self.planner().plan(situation)
    #expect(early.done.isEmpty && early.entries.first?.state == .confirming)
    var planner = Self.planner()
    planner.listingStartedAt = Timestamp(milliseconds: 1_010_000)
    #expect(planner.plan(situation).done.count == 1)
  }

  @Test func `the planner overwrites a late commit of an older value`() throws {
    var attempt = Attempt(
      kind: .update, sent: ["title": "old"], token: .start,
      startedAt: Timestamp(milliseconds: 890_000))
    attempt.outcome = .late
    var entry = Self.entry(.update, base: ["title": "new"])
    entry.enter(.confirming)
    entry.attempts = [attempt]
    let plan = Self.planner().plan(
      Self.situation(
        [Self.record("g1", "v2", ["title": "old"])], row: Self.row("v1", ["title": "new"]),
        entry: entry))
    let kept = try #require(plan.entries.first)
    #expect(kept.changed == ["title"] && kept.state == .ready)
    #expect(plan.rows.allSatisfy { $0.values[0] == "new" })
    #expect(plan.conflicts.isEmpty)
  }

  // MARK: - Deletes

  @Test func `a row deleted locally does not come back`() {
    let entry = Self.entry(.delete, base: ["title": "a"])
    let plan = Self.planner().plan(
      Self.situation([Self.record("g1", "v1", ["title": "a"])], entry: entry))
    #expect(plan.rows.isEmpty && plan.reinstated.isEmpty && plan.entries.isEmpty)
  }

  @Test func `a delete wins over an edit, and the edit is recorded`() throws {
    let entry = Self.entry(.delete, base: ["title": "a"])
    let plan = Self.planner().plan(
      Self.situation([Self.record("g1", "v2", ["title": "b"])], entry: entry))
    #expect(plan.rows.isEmpty && plan.reinstated.isEmpty)
    let kept = try #require(plan.entries.first)
    #expect(kept.baseVersion?.rawValue == "v2" && kept.base["title"] == "b")
    #expect(plan.conflicts.map(\.reason) == [.editedRemotely])
    #expect(plan.conflicts.first?.lost == ["title": "b"])
    // The next listing shows the same record, which must not make a second conflict record.
    let again = Self.planner().plan(
      Self.situation([Self.record("g1", "v2", ["title": "b"])], entry: kept))
    #expect(again.conflicts.isEmpty && again.entries.isEmpty)
  }

  @Test func `a remote edit wins over a local delete when the policy says so`() {
    let entry = Self.entry(.delete, base: ["title": "a"])
    let plan = Self.planner(Self.entity, .editWins).plan(
      Self.situation([Self.record("g1", "v2", ["title": "b"])], entry: entry))
    #expect(plan.reinstated.map(\.localID) == [Self.first])
    #expect(plan.reinstated.first?.fields == ["title": "b"])
    #expect(plan.done.count == 1 && plan.entries.isEmpty)
  }

  @Test func `a new time stamp over the same content is no edit`() {
    let entry = Self.entry(.delete, base: ["title": "a"])
    let plan = Self.planner(Self.entity, .editWins).plan(
      Self.situation([Self.record("g1", "v2", ["title": "a"])], entry: entry))
    #expect(plan.reinstated.isEmpty && plan.conflicts.isEmpty)
    #expect(plan.entries.first?.baseVersion?.rawValue == "v2")
  }

  // MARK: - Soft deletes

  @Test func `a soft-deleted record is removed or never inserted`() {
    let flagged = Self.record("g1", "v2", ["title": "a", "isRemoved": true])
    let here = Self.planner(Self.soft).plan(
      Self.situation([flagged], row: Self.row("v1", ["title": "a"])))
    #expect(here.removed == [Self.first] && here.rows.isEmpty)
    #expect(here.conflicts.map(\.reason) == [.removed])
    let nothing = Self.planner(Self.soft).plan(Self.situation([flagged]))
    #expect(nothing.rows.isEmpty && nothing.removed.isEmpty)
    let deleted = Self.planner(Self.soft).plan(
      Self.situation([flagged], entry: Self.entry(.delete, base: ["title": "a"])))
    #expect(deleted.done.count == 1 && deleted.conflicts.isEmpty)
  }

  @Test(arguments: [DeletionPolicy.deleteWins, .editWins])
  func `the policy decides about a soft-deleted record with local edits`(
    _ policy: DeletionPolicy
  ) throws {
    let flagged = Self.record("g1", "v2", ["title": "a", "isRemoved": true])
    let entry = Self.entry(.update, changed: ["title"], base: ["title": "a"])
    let plan = Self.planner(Self.soft, policy).plan(
      Self.situation([flagged], row: Self.row("v1", ["title": "b"]), entry: entry))
    if policy == .deleteWins {
      #expect(plan.removed == [Self.first] && plan.done.count == 1)
      #expect(plan.conflicts.map(\.reason) == [.deletedRemotely])
      #expect(plan.conflicts.first?.lost["title"] == "b")
    } else {
      #expect(plan.removed.isEmpty)
      #expect(plan.entries.first?.changed == ["title", "isRemoved"])
      #expect(plan.rows.first?.values == ["b", .null, .null])
    }
  }

  // MARK: - Creates

  @Test(arguments: [true, false]) func `a create in doubt is matched by its key`(byKey: Bool) {
    var entry = Self.entry(.create, changed: ["title"])
    if byKey { entry.objectID = "0123456789abcdef0123" }
    let record = Self.record("g1", "v1", ["title": "a"], key: byKey ? entry.objectID : nil)
    let matches = Self.planner().matches(in: Self.situation([record], entry: entry))
    #expect(matches == [ImportMatch(entry: entry, record: record)])
  }

  @Test func `the row takes the older of two records with its key`() {
    var entry = Self.entry(.create, changed: ["title"])
    entry.objectID = "0123456789abcdef0123"
    let young = Self.record("g1", "v1", ["title": "a"], key: entry.objectID, created: 9)
    let old = Self.record("g2", "v1", ["title": "a"], key: entry.objectID, created: 3)
    let situation = Self.situation([young, old], entry: entry)
    #expect(Self.planner().matches(in: situation).map(\.record.objectID) == ["g2"])
    let settled = Self.situation([young, old], aliases: ["0123456789abcdef0123": "g2"])
    #expect(Self.planner().plan(settled).duplicates.map(\.record.objectID) == ["g1"])
  }

  // MARK: - Quarantine

  @Test func `a bad record is quarantined once and cured`() throws {
    let bad = RecordFailure(
      objectID: "g1", version: ServerVersion(rawValue: "v1"), json: Data("{}".utf8),
      reason: "It is bad.")
    var situation = ImportSituation(failures: [bad])
    let plan = Self.planner().plan(situation)
    let record = try #require(plan.setAside.first)
    #expect(plan.actions.map(\.kind) == [.quarantine])
    situation.quarantined["g1"] = record
    #expect(Self.planner().plan(situation).setAside.isEmpty)
    var newer = situation
    newer.failures[0].version = ServerVersion(rawValue: "v2")
    #expect(Self.planner().plan(newer).setAside.count == 1)
    let other = ImportPlanner(
      entity: Entity("Game") { Field("title", .integer) }, now: Self.time)
    #expect(other.plan(situation).setAside.count == 1)
    var cured = situation
    cured.failures = []
    cured.records = [Self.record("g1", "v2", ["title": "a"])]
    #expect(Self.planner().plan(cured).cured == ["g1"])
  }
}
