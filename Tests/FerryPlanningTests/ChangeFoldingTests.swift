// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning
@testable import PlannerCases

/// The effect of each edit on an entry, for everything that the server may know.
@Suite(.timeLimit(.minutes(5)))
struct ChangeFoldingTests {
  let acknowledged: Fields = ["title": "Final", "score": 1]

  @Test func `a create and an edit fold into one create with the last values`() {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.update(id, ["title": "B", "score": 2])
    world.fold()
    #expect(world.entries.count == 1)
    #expect(world[id]?.kind == .create)
    #expect(world[id]?.changed == ["title", "score"])
    #expect(world[id]?.state == .ready)
  }

  @Test func `a create has no base, whatever its row has`() {
    let row = Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "m1", fields: ["title": "A"],
      createdAt: FoldingWorld.createdAt, version: FoldingWorld.version)
    let insert = LogRow(
      token: HistoryToken(rawValue: 1), className: "Game", localID: row.localID, kind: .insert)
    let entry = ChangeFolding.fold([insert], into: [], records: [row]).entries.first
    #expect(entry?.kind == .create)
    #expect(entry?.createdAt == nil)
    #expect(entry?.baseVersion == nil)
  }

  @Test func `deleting a row that was never sent leaves no entry`() {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world.delete(id)
    #expect(world.outcome.removed.map(\.localID) == [id])
    world.fold()
    #expect(world.entries.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a create that is under way stays a create after an edit`(isLost: Bool) {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world.send(id)
    if isLost { world.change(id) { $0.lose(timedOut: true) } }
    world.update(id, ["title": "B"])
    world.fold()
    #expect(world[id]?.kind == .create)
    #expect(world[id]?.state == (isLost ? .inDoubt : .sending))
    world.change(id) {
      $0.acknowledge(
        answer: [:], version: nil, createdAt: FoldingWorld.createdAt, current: ["title": "B"])
    }
    #expect(world[id]?.kind == .update)
    #expect(world[id]?.changed == ["title"])
    #expect(world[id]?.base == ["title": "A"])
    #expect(world[id]?.state == .ready)
  }

  @Test(arguments: [true, false])
  func `a create that is under way is resolved before its delete`(isLost: Bool) {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world[id]?.clientKey = "key"
    world.send(id)
    if isLost { world.change(id) { $0.lose(timedOut: true) } }
    world.delete(id)
    world.fold()
    #expect(world[id]?.kind == .deleteAfterCreate)
    #expect(world[id]?.objectID == "m1")
    #expect(world[id]?.clientKey == "key")
    #expect(world[id]?.state == (isLost ? .inDoubt : .sending))
    world.change(id) {
      $0.acknowledge(
        answer: [:], version: nil, createdAt: FoldingWorld.createdAt, current: nil)
    }
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.base == ["title": "A"])
  }

  @Test func `deleting the row of a parked create that was never in doubt leaves no entry`() {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world.send(id)
    world.change(id) { $0.refuse(Refusal(reason: .refused, code: 111, message: "type")) }
    world.delete(id)
    world.fold()
    #expect(world.entries.isEmpty)
  }

  @Test func `deleting the row of a parked create once in doubt leaves a tombstone`() {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: true) }
    world.change(id) { $0.resolveAbsent() }
    world.send(id)
    world.change(id) { $0.refuse(Refusal(reason: .refused, code: 142, message: "no")) }
    world.delete(id)
    world.fold()
    #expect(world[id]?.kind == .deleteAfterCreate)
    #expect(world[id]?.state == .confirming)
  }

  @Test func `edits of a known record fold into one update against the oldest values`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["title": "Semi"])
    world.update(id, ["title": "Quarter", "score": 5])
    world.fold()
    #expect(world[id]?.kind == .update)
    #expect(world[id]?.changed == ["title", "score"])
    #expect(world[id]?.base == acknowledged)
    #expect(world[id]?.baseVersion == FoldingWorld.version)
    #expect(world[id]?.createdAt == FoldingWorld.createdAt)
  }

  @Test func `an edit back to the base leaves no entry`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["title": "Semi", "score": 2])
    world.fold()
    world.update(id, ["title": "Final"])
    world.fold()
    #expect(world[id]?.changed == ["score"])
    world.update(id, ["score": .number(1.0)])
    world.fold()
    #expect(world.entries.isEmpty)
  }

  @Test(arguments: [true, false])
  func `an edit back to the base is a change while an attempt is open`(isLost: Bool) {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["score": 2])
    world.fold()
    world.send(id)
    if isLost { world.change(id) { $0.lose(timedOut: true) } }
    world.update(id, ["score": 1])
    world.update(id, ["title": "x"])
    world.update(id, ["title": "Final"])
    world.fold()
    #expect(world[id]?.changed == ["score"], "the title was in no attempt: it is what it was")
  }

  @Test func `a delete after an update keeps the base`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["title": "Semi"])
    world.fold()
    world.delete(id)
    world.fold()
    #expect(world[id]?.kind == .delete)
    #expect(world[id]?.base == acknowledged)
    #expect(world[id]?.acl == ["*": ["read": true]])
    #expect(world[id]?.baseVersion == FoldingWorld.version)
  }

  @Test func `an unsent delete and a new insert fold into an update against the base`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.delete(id)
    world.fold()
    let new = world.insert("s1", ["title": "Final", "note": "new"])
    world.fold()
    #expect(world.entries.map(\.localID) == [new])
    #expect(world[new]?.kind == .update)
    #expect(world[new]?.changed == ["score", "note"])
    #expect(world[new]?.base == ["score": 1, "note": .null])
    #expect(world.rows[new]?.createdAt == FoldingWorld.createdAt)
    #expect(world.rows[new]?.version == FoldingWorld.version)
    #expect(world.rows[new]?.acl == ["*": ["read": true]])
  }

  /// The undo and the redo of a delete, before any step folds them.
  @Test(arguments: [true, false])
  func `a delete that follows an insert keeps the server's list apart from an unsent one`(
    isListGiven: Bool
  ) throws {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.fold()
    let (served, edited): (Value, Value) = (FoldingWorld.accessList, ["u1": ["write": true]])
    var deleted = try #require(world.rows[id])
    deleted.acl = edited
    var again = deleted.unknownToServer
    if !isListGiven { again.acl = .null }
    let kinds: [LogRow.Kind] = [
      .update(old: [Fields.accessList: served]), .delete(old: deleted), .insert,
      .delete(old: again),
    ]
    let log = kinds.enumerated().map { index, kind in
      LogRow(
        token: HistoryToken(rawValue: Int64(index + 1)), className: "Game", localID: id, kind: kind)
    }
    let entry = try #require(ChangeFolding.fold(log, into: [], records: []).entries.first)
    #expect(entry.kind == .delete)
    #expect(entry.acl == served)
    #expect(entry.withdrawn == [Fields.accessList: edited])
  }

  /// Without a list in the end: two undos took one away, or the app gave one and took that back.
  @Test(arguments: [true, false])
  func `a new row takes the list of its former row only if its insert left the list out`(
    isListGiven: Bool
  ) {
    let list = FoldingWorld.accessList
    let row = Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", fields: ["title": "a"])
    var deleted = row
    deleted.acl = list
    let kinds: [LogRow.Kind] = [
      .insert, .delete(old: deleted), .insert,
      .update(old: [Fields.accessList: isListGiven ? list : .null]),
      .update(old: [Fields.accessList: ["u2": ["read": true]]]),
    ]
    let log = kinds.enumerated().map { index, kind in
      LogRow(
        token: HistoryToken(rawValue: Int64(index + 1)), className: "Game", localID: row.localID,
        kind: kind)
    }
    let outcome = ChangeFolding.fold(log, into: [], records: [row])
    #expect(outcome.entries.map(\.kind) == [.create])
    #expect(outcome.reinserted.map(\.acl) == (isListGiven ? [] : [list]))
  }

  @Test func `a delete under way is resolved before the new insert becomes a create`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.delete(id)
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: true) }
    let new = world.insert("s1", ["title": "Again"])
    world.fold()
    #expect(world.entries.map(\.localID) == [new])
    #expect(world[new]?.kind == .create)
    #expect(world[new]?.state == .inDoubt)
    #expect(world.rows[new]?.acl == ["*": ["read": true]], "its create is as private as the record")

    var gone = world
    gone.change(new) { $0.resolveAbsent() }
    #expect(gone[new]?.kind == .create)
    #expect(gone[new]?.state == .ready)
    #expect(gone[new]?.createdAt == nil)

    let current = world.rows[new]?.fields
    world.change(new) {
      $0.resolvePresent(
        version: FoldingWorld.version, createdAt: FoldingWorld.createdAt, remote: acknowledged,
        current: current)
    }
    #expect(world[new]?.kind == .update)
    #expect(world[new]?.changed == ["title", "score"])
    #expect(world[new]?.base == acknowledged)
  }

  @Test func `an edit makes a parked entry ready`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["title": "Semi"])
    world.fold()
    world.send(id)
    world.change(id) { $0.refuse(Refusal(reason: .refused, message: "no")) }
    world.update(id, ["title": "Quarter"])
    world.fold()
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.changed == ["title"])
  }

  @Test(arguments: [true, false])
  func `a SQL REPLACE is an update of the same objectId`(keepsLocalID: Bool) {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    let new = world.replace(id, with: ["title": "New"], keepingLocalID: keepsLocalID)
    world.fold()
    #expect(world.entries.map(\.localID) == [new])
    #expect(world[new]?.kind == .update)
    #expect(world[new]?.changed == ["title", "score"])
    #expect(world[new]?.base == acknowledged)
    #expect(world.rows[new]?.createdAt == FoldingWorld.createdAt)
  }

  @Test func `a SQL REPLACE of a row under way moves its entry`() {
    var world = FoldingWorld()
    let id = world.insert("m1", ["title": "A"])
    world.fold()
    world.send(id)
    let new = world.replace(id, with: ["title": "B"])
    world.fold()
    #expect(world.entries.map(\.localID) == [new])
    #expect(world[new]?.kind == .create)
    #expect(world[new]?.state == .sending)
    #expect(world[new]?.attempts.count == 1)
  }

  @Test func `each inserted row has its own entry`() {
    var world = FoldingWorld()
    let first = world.insert("m1", ["title": "1"])
    let second = world.insert("m2", ["title": "2"])
    world.fold()
    world.delete(second)
    let third = world.insert("m3", ["title": "3"])
    world.fold()
    #expect(world.entries.map(\.objectID) == ["m1", "m3"])
    #expect(world.entries.map(\.localID) == [first, third])
    #expect(third != second)
  }

  @Test func `an edit makes a confirming entry ready again`() {
    var world = FoldingWorld()
    let id = world.synced("s1", acknowledged)
    world.update(id, ["score": 2])
    world.fold()
    world.send(id)
    world.change(id) { $0.lose(timedOut: true) }
    world.send(id)
    world.change(id) {
      $0.acknowledge(answer: [:], version: nil, createdAt: nil, current: ["score": 2])
    }
    #expect(world[id]?.state == .confirming)
    world.update(id, ["score": 3])
    world.fold()
    #expect(world[id]?.state == .ready)
    #expect(world[id]?.base == ["score": 2])
    world.update(id, ["score": 2])
    world.fold()
    #expect(world[id]?.state == .confirming)
    #expect(world[id]?.changed.isEmpty == true)
  }
}
