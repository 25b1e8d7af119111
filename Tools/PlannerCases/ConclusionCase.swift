// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A change that is being sent, what the app does meanwhile, and what becomes known of the write.
struct ConclusionCase {
  private static let meanings: [RefusalMeaning] = [
    .retryLater, .failed, .rateLimited, .loginNeeded, .refused, .forbidden, .invalidName,
    .duplicate,
    .notFoundOrForbidden, .outcomeUnknown(mayStillRun: true), .outcomeUnknown(mayStillRun: false),
    .tooLarge, .unauthorized, .wrongURL, .notParse, .malformed, .cut,
  ]
  private static let attemptLimit = 3

  /// While it is being sent.
  private var entry: OutboxEntry
  /// The row at present; nil where the app deleted it.
  private var row: Record?
  private let attempt: Attempt

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let sending = ConclusionCase(&chance)
    switch chance.number(below: 3) {
    case 0: try sending.checkFailure(&chance)
    case 1: try sending.checkSuccess(&chance)
    default: try sending.checkLookup(&chance)
    }
  }

  private init(_ chance: inout SeededGenerator) {
    let base = GeneratedFields.make(&chance)
    var row = GeneratedEntry.row(GeneratedFields.make(&chance))
    switch chance.number(below: 3) {
    case 0:
      entry = GeneratedEntry.update(of: row, base: base, &chance)
      if entry.changed.isEmpty { entry.overwrite(["f": base["f"] ?? .null]) }
    case 1:
      (row.createdAt, row.version) = (nil, nil)
      entry = OutboxEntry(creating: row, foldedThrough: HistoryToken(rawValue: 2))
    default: entry = OutboxEntry(deleting: row, foldedThrough: HistoryToken(rawValue: 2))
    }
    let sent = entry.kind == .delete ? Fields() : Self.values(entry.changed, of: row)
    attempt = Attempt(
      kind: entry.kind, sent: sent, token: entry.foldedThrough,
      startedAt: Timestamp(milliseconds: Int64(chance.number(below: 100_000))))
    entry.begin(attempt, clientKey: chance.one(in: 2) ? "k" : nil)
    self.row = entry.kind == .delete ? nil : row
    if chance.one(in: 2) { goOn(&chance) }
  }

  /// The app edits the row, deletes it, or inserts it again.
  private mutating func goOn(_ chance: inout SeededGenerator) {
    let token = HistoryToken(rawValue: 9)
    let kind: LogRow.Kind
    if let old = row, chance.one(in: 3) {
      kind = .delete(old: old)
      row = nil
    } else if var edited = row {
      let fields = GeneratedFields.make(&chance)
      let names = edited.fields.difference(from: fields)
      kind = .update(old: Self.values(names, of: edited))
      edited.fields = fields
      row = edited
    } else {
      kind = .insert
      row = GeneratedEntry.row(GeneratedFields.make(&chance))
      row?.createdAt = nil
      row?.version = nil
    }
    let outcome = ChangeFolding.fold(
      [LogRow(token: token, className: "Game", localID: entry.localID, kind: kind)],
      into: [entry], records: row.map { [$0] } ?? [])
    entry = outcome.entries.first ?? entry
  }

  private static func values(_ names: Set<String>, of row: Record) -> Fields {
    Fields(Dictionary(names.map { ($0, row[$0]) }, uniquingKeysWith: { $1 }))
  }

  private func text(_ after: OutboxEntry, _ outcome: String) -> String {
    "\(entry)\nrow \(String(describing: row))\n\(outcome)\n\(after)"
  }

  // MARK: Outcomes of a write

  private func checkFailure(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let meaning = chance.pick(Self.meanings)
    let write = SentWrite(
      key: entry.key, objectID: entry.objectID, attempt: attempt, asksForID: chance.one(in: 2))
    var conclusion = WriteConclusion.failed(
      entry, write, WriteFailure(meaning, "no"), current: row?.fields, isShared: chance.one(in: 2),
      attemptLimit: Self.attemptLimit, at: GeneratedEntry.now, in: .putUpdated)
    let first = conclusion.entry
    var text: String { self.text(first, "\(meaning)") }
    try checkUnderWay(conclusion.entry, text)
    try law(!conclusion.isForgotten, "a failed write is not done", text)
    if conclusion.isDone {
      try law(
        isTakenBack, "a failed write of an edit that the app did not take back is not done", text)
      return
    }
    try checkKept(conclusion.entry, text)
    let isParked = conclusion.actions.contains { $0.kind == .park }
    try law(isParked == conclusion.entry.isParked, "a report says that a change is parked", text)
    let left = conclusion.entry.attempts.count
    let isDoubt = left == entry.attempts.count && conclusion.entry.state == .inDoubt
    switch meaning {
    case .outcomeUnknown, .malformed, .cut:
      try law(isDoubt || isParked, "a write without an outcome stays in doubt", text)
    case .duplicate, .notFoundOrForbidden,
      .forbidden where attempt.kind == .delete:
      let isLookedUp = if case .lookUp = conclusion.next { true } else { false }
      try law(
        !isLookedUp || isDoubt, "a write that is looked up stays in doubt", text)
    default:
      let isOvertaken = entry.kind == .create && attempt.kind == .delete
      try law(
        isOvertaken || left == entry.attempts.count - 1,
        "a write that the server did not carry out leaves no attempt", text)
    }
    // The same refusal may come again and again.
    for _ in 0..<Self.attemptLimit where conclusion.entry.mayMove {
      var again = conclusion.entry
      again.begin(attempt)
      conclusion = .failed(
        again, write, WriteFailure(.malformed, "no"), current: row?.fields, isShared: false,
        attemptLimit: Self.attemptLimit, at: GeneratedEntry.now, in: .putUpdated)
    }
    try checkUnderWay(conclusion.entry, text)
  }

  private func checkSuccess(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let write = SentWrite(key: entry.key, objectID: entry.objectID, attempt: attempt)
    let acknowledgement = Acknowledgement(
      creation: attempt.kind == .create
        ? .init(objectID: "g1", time: GeneratedEntry.created) : nil,
      version: ServerVersion(rawValue: "v2"))
    let conclusion = WriteConclusion.done(
      entry, write, acknowledgement, of: MergeCase.entity, current: row?.fields, in: .putUpdated)
    let after = conclusion.entry
    var text: String { self.text(after, "done") }
    try checkUnderWay(after, text)
    if conclusion.isDone {
      try law(
        row == nil || attempt.kind == .delete || after.changed.isEmpty,
        "an entry with an edit is not done", text)
    }
    guard attempt.kind == .update || attempt.kind == .create, let row else { return }
    for name in GeneratedFields.names {
      let sent = attempt.sent[name]
      let isLeft = after.changed.contains(name)
      if sent == row[name] {
        try law(!isLeft, "a value that the server confirmed is not sent again", text)
      } else if entry.changed.contains(name) || sent != nil {
        try law(isLeft, "an edit made meanwhile stays to be sent", text)
      }
      if let sent, isLeft {
        try law(after.base[name] == sent, "a confirmed value is the next base", text)
      }
    }
  }

  // MARK: Lookups

  private func checkLookup(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var lost = entry
    lost.lose(timedOut: chance.one(in: 2))
    let doubt = WriteInDoubt(
      key: lost.key, reason: chance.pick([.lost, .duplicate, .denied]))
    let conclusion: LookupConclusion
    switch chance.number(below: 4) {
    case 0:
      conclusion = .absent(
        lost, doubt, current: row?.fields, isOver: chance.one(in: 2),
        attemptLimit: Self.attemptLimit, in: .putUpdated)
      let isReturned = lost.changed.allSatisfy {
        (row?.fields[$0] ?? .null) == (lost.base[$0] ?? .null)
      }
      let isGone = conclusion.isDone && row != nil && !isReturned
      try law(!isGone, "a row whose record is absent keeps its change", text(conclusion.entry, ""))
    case 1:
      conclusion = .unreadable(
        lost, doubt, reason: "It is damaged.", current: row?.fields, in: .putUpdated)
      try law(
        !conclusion.isDone || isTakenBack, "an unreadable record settles nothing", text(lost, ""))
      try checkKept(conclusion.entry, text(conclusion.entry, "unreadable"))
    default: conclusion = try present(lost, doubt, &chance)
    }
    var text: String { self.text(conclusion.entry, "lookup \(doubt.reason)") }
    if !conclusion.isDone { try checkUnderWay(conclusion.entry, text) }
    let isParked = conclusion.actions.contains { $0.kind == .park }
    let isReinstated =
      switch conclusion.next {
      case .reinstate, .takeBack: true
      case .nothing, .importRecord: false
      }
    if case .takeBack(let row) = conclusion.next {
      try law(
        !conclusion.isDone && row.fields == lost.base.merging(lost.withdrawn)
          && conclusion.entry.changed == Set(lost.withdrawn.values.keys),
        "a row that comes back has the edits that it had", text)
    }
    try law(
      isParked == (conclusion.entry.isParked || isReinstated),
      "a report says that a change is parked", text)
  }

  /// The server shows the record.
  private func present(
    _ lost: OutboxEntry, _ doubt: WriteInDoubt, _ chance: inout SeededGenerator
  ) throws(BrokenLaw) -> LookupConclusion {
    let remote = chance.one(in: 2) ? attempt.sent.withoutNulls : GeneratedFields.make(&chance)
    let record = ServerRecord(
      objectID: "g1", createdAt: GeneratedEntry.created, version: ServerVersion(rawValue: "v2"),
      values: MergeCase.values(remote))
    if let conclusion = LookupConclusion.present(
      lost, doubt, record, of: MergeCase.entity, hasRival: chance.one(in: 8), current: row?.fields,
      in: .putUpdated)
    {
      let isTakenOver =
        conclusion.next != LookupConclusion.Next.nothing || !conclusion.isDone
        || isTakenBack
      try law(isTakenOver, "a change ends only where something takes it over", text(lost, ""))
      return conclusion
    }
    let conclusion = LookupConclusion.settled(
      lost, record, of: MergeCase.entity, wasCreate: lost.kind == .create, isListed: true,
      current: row?.fields, in: .putUpdated)
    guard let row else { return conclusion }
    let after = conclusion.entry
    for name in lost.changed where !after.changed.contains(name) {
      let local = row[name]
      let isExplained =
        remote[name] ?? .null == local || lost.base[name] == local
        || lost.attempts.contains { $0.sent[name] == local }
      try law(
        isExplained, "an edit that the record lacks stays to be sent", text(after, "\(remote)"))
    }
    try law(
      !conclusion.isDone || after.changed.isEmpty, "an entry with an edit is not done",
      text(after, "\(remote)"))
    return conclusion
  }

  // MARK: All

  private func checkUnderWay(_ after: OutboxEntry, _ text: @autoclosure () -> String)
    throws(BrokenLaw)
  {
    try law(after.state != .sending, "a write with an outcome is not being sent", text())
    try law(
      after.state != .inDoubt || after.hasUnresolvedAttempts, "a doubt has an attempt", text())
    let moves =
      after.wakeUp(
        at: GeneratedEntry.now, maximumRequestDuration: GeneratedEntry.maximumRequestDuration)
      != nil
    try law(moves || after.isParked, "a change that waits for nobody moves by itself", text())
  }

  /// Nothing of the change is lost.
  private func checkKept(_ after: OutboxEntry, _ text: @autoclosure () -> String) throws(BrokenLaw)
  {
    let dropped = entry.changed.subtracting(after.changed)
    try law(
      after.changed.isSubset(of: entry.changed) && dropped.isSubset(of: returned)
        && dropped.isSuperset(of: entry.base.values.keys.filter { after.base[$0] == nil })
        && after.base == entry.base.only(Set(after.base.values.keys))
        && after.kind == entry.kind && after.createdAt == entry.createdAt
        && after.baseVersion == entry.baseVersion,
      "a write that was not confirmed changes nothing of its change", text())
  }

  /// Whether the row has all edited fields as the server has them.
  private var isTakenBack: Bool {
    row != nil && entry.kind == .update && entry.changed == returned
  }

  /// The edited fields that the row has as the server has them.
  private var returned: Set<String> {
    entry.changed.filter { (row?[$0] ?? .null) == (entry.base[$0] ?? .null) }
  }
}

extension OutboxEntry {
  fileprivate var isParked: Bool { if case .parked = state { true } else { false } }
}
