// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Testing

@testable import FerryPlanning

/// Walks every row of the tables in the documentation of `WriteConclusion` and `LookupConclusion`.
@Suite(.timeLimit(.minutes(1))) struct WriteConclusionTests {
  typealias Entries = OutboxTransitionsTests

  private static let entity = Entity("Game", fields: [Field("f", .integer)])
  private static let version = Entries.version
  private static let time = Entries.time

  private static func write(
    _ kind: OutboxEntry.Kind, asksForID: Bool = false, unsendable: Set<String> = []
  ) -> SentWrite {
    var fields = UnsendableFields()
    fields.names = unsendable
    fields.refusal = unsendable.isEmpty ? nil : Entries.refusal
    return SentWrite(
      key: RecordKey(className: "Game", localID: LocalID(rawValue: 1)), objectID: "g1",
      attempt: Attempt(kind: kind, sent: ["f": 1], token: .start, startedAt: time),
      asksForID: asksForID, unsendable: fields)
  }

  /// An entry that is being sent, with earlier failures.
  private static func sending(
    _ write: SentWrite, failures: Int = 0, isWatched: Bool = false
  ) -> OutboxEntry {
    var row = Entries.row
    var entry: OutboxEntry
    switch write.attempt.kind {
    case .create:
      (row.createdAt, row.version) = (nil, nil)
      entry = OutboxEntry(creating: row, foldedThrough: .start)
    case .delete, .deleteAfterCreate: entry = OutboxEntry(deleting: row, foldedThrough: .start)
    case .update:
      entry = OutboxEntry(editing: row, foldedThrough: .start)
      entry.overwrite(["f": 0])
      for name in write.unsendable.names { entry.overwrite([name: 0]) }
    }
    if isWatched {
      entry.begin(write.attempt, clientKey: "k")
      entry.lose(timedOut: true)
      _ = entry.resolvePresent(
        version: version, createdAt: time, remote: ["f": 0], current: ["f": 1])
    }
    for _ in 0..<failures { entry.failures.add(isShared: false, at: time) }
    entry.begin(write.attempt, clientKey: "k")
    return entry
  }

  private static func doubted(_ entry: OutboxEntry, timedOut: Bool = false) -> OutboxEntry {
    var entry = entry
    entry.lose(timedOut: timedOut)
    return entry
  }

  private static func state(_ entry: OutboxEntry, isDone: Bool) -> String {
    isDone ? "done" : Entries.name(entry.state)
  }

  @Test func `every row of what a write's outcome makes of its entry is walked`() throws {
    var walked = Set<[String]>()
    func walk(_ write: String, _ outcome: String, _ conclusion: WriteConclusion) {
      let next =
        switch conclusion.next {
        case .nothing: "nothing"
        case .lookUp: "look up"
        case .sendSmaller: "send smaller"
        case .findOutAboutIDs: "find out about ids"
        case .askForLogin: "ask for login"
        }
      walked.insert(
        [write, outcome, Self.state(conclusion.entry, isDone: conclusion.isDone), next])
      // A report says that a change is parked, exactly where it is.
      let isParked = Entries.name(conclusion.entry.state) == "parked"
      #expect(conclusion.actions.contains { $0.kind == .park } == isParked)
    }
    func done(_ write: SentWrite, _ current: Fields?, isWatched: Bool = false) -> WriteConclusion {
      .done(
        Self.sending(write, isWatched: isWatched), write,
        Acknowledgement(version: Self.version), of: Self.entity, current: current,
        in: .putUpdated)
    }
    func failed(
      _ write: SentWrite, _ meaning: RefusalMeaning, isShared: Bool = false, failures: Int = 0
    ) -> WriteConclusion {
      .failed(
        Self.sending(write, failures: failures), write, WriteFailure(meaning, "no"),
        current: ["f": 1], isShared: isShared, attemptLimit: 3, at: Self.time, in: .putUpdated)
    }
    func takenBack(
      _ write: SentWrite, _ meaning: RefusalMeaning, isWatched: Bool = false
    ) -> WriteConclusion {
      var entry = Self.sending(write, isWatched: isWatched)
      entry.foldedThrough = HistoryToken(rawValue: 9)
      return .failed(
        entry, write, WriteFailure(meaning, "no"), current: ["f": 0], isShared: false,
        attemptLimit: 3, at: Self.time, in: .putUpdated)
    }
    let update = Self.write(.update)
    let create = Self.write(.create, asksForID: true)
    walk("any", "done", done(update, ["f": 1]))
    walk("any", "done", done(update, ["f": 2]))
    walk("any", "done", done(update, ["f": 1], isWatched: true))
    walk(
      "any", "done, but for fields that cannot be sent",
      done(Self.write(.update, unsendable: ["g"]), ["f": 1, "g": 5]))
    walk(
      "any", "no request could be made",
      .unwritable(Self.sending(update), Entries.refusal, current: ["f": 1], in: .putUpdated))
    walk(
      "create", "done, for a record that has another row",
      .rivalled(Self.sending(create), in: .postCreated))
    var mark = Self.write(.delete)
    mark.attempt.sent = ["gone": true]
    var back = ChangeFolding.Draft(Self.sending(mark))
    back.bringBack(as: ["f": 1], merged: [])
    walk(
      "delete", "done by a mark, and the app has inserted the row again",
      .done(
        back.entry, mark, Acknowledgement(version: Self.version), of: Self.entity,
        current: ["f": 1], in: .deleteDeleted))
    walk("any", "park", failed(update, .refused))
    walk("any", "postpone", failed(update, .rateLimited))
    walk("any", "sendSmaller, in a batch", failed(update, .tooLarge, isShared: true))
    walk("any", "sendSmaller, alone", failed(update, .tooLarge))
    walk("create", "findOutAboutIDs", failed(create, .invalidName))
    walk("create", "askForLogin", failed(create, .notFoundOrForbidden))
    walk("any", "doubt", failed(update, .outcomeUnknown(mayStillRun: false)))
    walk(
      "change", "doubt, at the limit of attempts",
      failed(update, .outcomeUnknown(mayStillRun: false), failures: 2))
    walk("any", "lookUp", failed(update, .notFoundOrForbidden))
    for meaning in [RefusalMeaning.refused, .rateLimited] {
      for isWatched in [false, true] {
        walk(
          "update", "did not happen, and the app set its fields back",
          takenBack(update, meaning, isWatched: isWatched))
      }
    }
    let documented = try DocumentedTable(
      in: "Sources/FerryPlanning/Upload/WriteConclusion.swift", splitting: [2]
    ).rows
    #expect(documented.subtracting(walked).map { $0.joined(separator: "|") }.sorted() == [])
    #expect(walked.subtracting(documented).map { $0.joined(separator: "|") }.sorted() == [])
  }

  /// Shows what the server has of a record.
  private static func record(_ value: Value) -> ServerRecord {
    ServerRecord(objectID: "g1", createdAt: time, version: version, values: [value])
  }

  @Test func `every row of what a lookup makes of an entry is walked`() throws {
    var walked = Set<[String]>()
    func walk(_ doubt: String, _ lookup: String, _ conclusion: LookupConclusion?) throws {
      let conclusion = try #require(conclusion)
      let next =
        switch conclusion.next {
        case .nothing: "nothing"
        case .importRecord: "import"
        case .reinstate: "reinstate"
        case .takeBack: "take back"
        }
      walked.insert(
        [doubt, lookup, Self.state(conclusion.entry, isDone: conclusion.isDone), next])
    }
    func doubt(_ reason: WriteInDoubt.Reason) -> WriteInDoubt {
      WriteInDoubt(key: Entries.row.key, reason: reason)
    }
    func absent(
      _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason, isOver: Bool = true, limit: Int = 9
    ) -> LookupConclusion {
      .absent(
        entry, doubt(reason), current: ["f": 1], isOver: isOver, attemptLimit: limit, in: nil)
    }
    func unreadable(
      _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason
    ) -> LookupConclusion {
      .unreadable(entry, doubt(reason), reason: "It is too deep.", current: ["f": 1], in: nil)
    }
    func present(
      _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason, hasRival: Bool = false
    ) -> LookupConclusion? {
      .present(
        entry, doubt(reason), Self.record(5), of: Self.entity, hasRival: hasRival,
        current: ["f": 1], in: nil)
    }
    func settled(
      _ entry: OutboxEntry, shown: Value, isListed: Bool = true
    ) -> LookupConclusion {
      .settled(
        entry, Self.record(shown), of: Self.entity, wasCreate: false, isListed: isListed,
        current: ["f": 1], in: nil)
    }
    let create = Self.doubted(Self.sending(Self.write(.create)))
    let update = Self.doubted(Self.sending(Self.write(.update)))
    let delete = Self.doubted(Self.sending(Self.write(.delete)))
    var takenBack = ChangeFolding.Draft(Self.sending(Self.write(.create)))
    _ = takenBack.delete(Entries.row)
    let watched = Self.doubted(takenBack.entry, timedOut: true)
    try walk("duplicate", "absent", absent(create, .duplicate))
    try walk(
      "lost, denied", "absent, and the create may still run", absent(create, .lost, isOver: false))
    try walk("lost, denied", "absent", absent(delete, .lost))
    try walk("lost, denied", "absent", absent(update, .denied))
    try walk("lost, denied", "absent", absent(watched, .lost))
    let failing = Self.doubted(Self.sending(Self.write(.create), failures: 1))
    try walk("lost, denied", "absent", absent(failing, .lost, limit: 1))
    for entry in [create, update, delete] {
      for reason in [WriteInDoubt.Reason.lost, .duplicate] {
        try walk("lost, duplicate", "unreadable", unreadable(entry, reason))
      }
    }
    try walk("denied", "unreadable", unreadable(update, .denied))
    try walk("denied", "unreadable", unreadable(delete, .denied))
    try walk("any", "present, with another row", present(create, .lost, hasRival: true))
    for reason in [WriteInDoubt.Reason.lost, .duplicate] {
      try walk(
        "lost, duplicate", "present, perhaps another client's record", present(create, reason))
    }
    try walk(
      "duplicate", "present, another client's record, and the row is gone",
      present(Self.doubted(takenBack.entry), .duplicate))
    #expect(present(watched, .lost) == nil, "it is deleted, as the app wanted")
    try walk("denied", "present, and not to be deleted", present(delete, .denied))
    var edited = delete
    edited.withdrawn = ["f": 2]
    try walk(
      "denied", "present, not to be deleted, and edited before the delete", present(edited, .denied)
    )
    var removable = Self.entity
    removable.fields.append(Field("gone", .boolean))
    var marked = Self.record(5)
    marked.values.append(true)
    try walk(
      "denied", "present, and marked as deleted meanwhile",
      .present(
        delete, doubt(.denied), marked, of: removable.deletions(.softDelete(field: "gone")),
        hasRival: false, current: nil, in: nil))
    for entry in [delete, takenBack.entry] {
      let conclusion = LookupConclusion.settled(
        Self.doubted(entry), marked, of: removable.deletions(.softDelete(field: "gone")),
        wasCreate: false, isListed: true, current: nil, in: nil)
      #expect(conclusion.isForgotten)
      try walk("lost, duplicate", "present, and marked as deleted, of a delete", conclusion)
    }
    try walk("denied", "present, and not to be edited", present(update, .denied))
    let late = Self.doubted(Self.sending(Self.write(.update), isWatched: true), timedOut: true)
    for (entry, shown) in [(update, 1), (update, 0), (late, 1)] as [(OutboxEntry, Value)] {
      try walk("lost, duplicate", "present", settled(entry, shown: shown))
      try walk(
        "lost, duplicate", "present, and outside the filter of the class",
        settled(entry, shown: shown, isListed: false))
    }
    func undecidable(
      _ entry: OutboxEntry, _ reason: WriteInDoubt.Reason
    ) -> LookupConclusion? {
      .undecidable(entry, doubt(reason), code: 119, current: ["f": 1], in: nil)
    }
    try walk("lost, duplicate", "forbidden, of a create", undecidable(create, .lost))
    #expect(undecidable(update, .lost) == nil)
    try walk("denied", "forbidden", undecidable(update, .denied))
    try walk("denied", "forbidden", undecidable(delete, .denied))
    #expect(present(update, .lost) == nil)
    let documented = try DocumentedTable(
      in: "Sources/FerryPlanning/Upload/LookupConclusion.swift", splitting: [2]
    ).rows
    #expect(documented.subtracting(walked).map { $0.joined(separator: "|") }.sorted() == [])
    #expect(walked.subtracting(documented).map { $0.joined(separator: "|") }.sorted() == [])
  }
}
