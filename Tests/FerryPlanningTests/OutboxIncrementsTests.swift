// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

/// Additions that are being sent, whose answers are lost, and that nobody can decide about.
@Suite(.timeLimit(.minutes(1)))
struct OutboxIncrementsTests {
  private static let entity = Entity("Game") {
    Field("likes", .integer, merge: .increment)
    Field("title", .text)
  }
  private static let start = Timestamp(milliseconds: 1_000)
  private static let late = Timestamp(milliseconds: 200_000)
  private static let known = ServerVersion(rawValue: "v1")
  private static let other = ServerVersion(rawValue: "v2")

  private static func row(_ likes: Value) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1",
      fields: ["likes": likes], createdAt: start, version: known)
  }

  /// An edit of likes from 5 to 6 that is being sent as an addition of 1.
  private static func sending(title: Value? = nil) -> OutboxEntry {
    var entry = OutboxEntry(editing: row(6), foldedThrough: .start)
    entry.overwrite(title == nil ? ["likes": 5] : ["likes": 5, "title": "Final"])
    var attempt = Attempt(
      kind: .update, sent: title.map { ["title": $0] } ?? [:], token: .start, startedAt: start)
    attempt.increments = SentIncrements(
      targets: ["likes": 6], versions: Set(entry.knownVersions(of: row(6)).map(\.rawValue)))
    entry.begin(attempt)
    return entry
  }

  private static func inDoubt(title: Value? = nil) -> OutboxEntry {
    var entry = sending(title: title)
    entry.lose(timedOut: true)
    return entry
  }

  private static func settle(
    _ entry: inout OutboxEntry, _ version: ServerVersion, likes: Value, at time: Timestamp
  ) -> OutboxEntry.IncrementOutcome {
    entry.settleIncrements(
      over: version, ["likes": likes], askedAt: time, maximumRequestDuration: .seconds(120))
  }

  @Test func `what the app adds during a request is still to be added`() {
    var entry = Self.sending()
    let isDone = entry.acknowledge(
      answer: [:], version: Self.other, createdAt: nil, current: ["likes": 8])
    #expect(!isDone && entry.state == .ready && entry.changed == ["likes"])
    #expect(entry.base == ["likes": 6], "2 are left, whatever the server has by now")
  }

  @Test func `the row takes the server's value with what the app has added since`() {
    let write = SentWrite(
      key: Self.sending().key, objectID: "g1", attempt: Self.sending().attempts[0])
    var conclusion = WriteConclusion.done(
      Self.sending(), write, Acknowledgement(version: Self.other, changes: ["likes": 10]),
      of: Self.entity, current: ["likes": 8], in: .putUpdated)
    #expect(conclusion.merged == ["likes": 12])
    #expect(conclusion.entry.base == ["likes": 6], "as long as the row does not have it")
    conclusion.noteMerged()
    #expect(conclusion.entry.base == ["likes": 10] && conclusion.entry.changed == ["likes"])
  }

  @Test func `nothing is decided as long as a request may be at work`() {
    var entry = Self.inDoubt()
    let outcome = Self.settle(
      &entry, Self.known, likes: 5, at: Timestamp(milliseconds: 120_999))
    #expect(outcome == .mayStillRun)
    #expect(entry == Self.inDoubt())
    let next = entry.wakeUp(
      at: Timestamp(milliseconds: 2_000), maximumRequestDuration: .seconds(120))
    #expect(next == Timestamp(milliseconds: 121_000), "no sync before that can move it")
  }

  @Test func `the version of before proves that nothing was added`() {
    var entry = Self.inDoubt()
    let outcome = Self.settle(&entry, Self.known, likes: 5, at: Self.late)
    #expect(outcome == .settled)
    let isDone = entry.resolvePresent(
      version: Self.known, createdAt: Self.start, remote: ["likes": 5], current: ["likes": 6])
    #expect(!isDone && entry.state == .ready && entry.changed == ["likes"])
    #expect(entry.base == ["likes": 5] && entry.attempts.isEmpty)
  }

  @Test(arguments: [5, 6, 7, .null] as [Value])
  func `another version proves nothing, whatever the value is`(likes: Value) {
    var entry = Self.inDoubt()
    let outcome = Self.settle(&entry, Self.other, likes: likes, at: Self.late)
    #expect(outcome == .undecidable)
    #expect(entry == Self.inDoubt())
  }

  @Test func `another value under the same version proves nothing`() {
    var entry = Self.inDoubt()
    let outcome = Self.settle(&entry, Self.known, likes: 6, at: Self.late)
    #expect(outcome == .undecidable)
  }

  /// An edit of likes from 5 to none or 8 that was sent as it is.
  private static func numberInDoubt(_ sent: Value) -> OutboxEntry {
    var entry = OutboxEntry(editing: row(1), foldedThrough: .start)
    entry.overwrite(["likes": 5])
    entry.begin(
      Attempt(kind: .update, sent: ["likes": sent], token: .start, startedAt: start))
    entry.lose(timedOut: true)
    entry.countUnanswered(["likes"])
    return entry
  }

  @Test(
    arguments: [
      (.null, known, 5, .settled, 5), (.null, other, .null, .settled, .null),
      (.null, other, 10, .undecidable, 5), (.null, other, 5, .undecidable, 5),
      (8, known, 5, .settled, 5), (8, other, 8, .settled, 8), (8, other, 9, .undecidable, 5),
    ] as [(Value, ServerVersion, Value, OutboxEntry.IncrementOutcome, Value)])
  func `a number that was sent itself counts if the server shows it`(
    sent: Value, version: ServerVersion, shown: Value, outcome: OutboxEntry.IncrementOutcome,
    base: Value
  ) {
    var entry = Self.numberInDoubt(sent)
    #expect(Self.settle(&entry, version, likes: shown, at: Self.start) == .mayStillRun)
    #expect(Self.settle(&entry, version, likes: shown, at: Self.late) == outcome)
    #expect(entry.base == ["likes": base])
    #expect(entry.undecidedFields == (outcome == .undecidable ? ["likes"] : []))
  }

  @Test func `a number that the app has not edited since an import stays decided`() {
    var entry = Self.numberInDoubt(8)
    _ = entry.join([], onto: ["likes": 10], version: Self.other, isConfirmed: false)
    let before = entry
    entry.countUnanswered(["likes", "title"])
    #expect(entry == before)
  }

  @Test func `the number of an unanswered create proves nothing of the record`() {
    var entry = OutboxEntry(creating: Self.row(3), foldedThrough: .start)
    entry.begin(
      Attempt(
        kind: .create, sent: ["likes": 3, "title": "Final"], token: .start, startedAt: Self.start))
    entry.lose(timedOut: false)
    entry.countUnanswered(["likes"])
    #expect(entry.attempts[0].sent == ["title": "Final"])
    #expect(entry.attempts[0].isShown(by: ["likes": 4, "title": "Final"]))
    let isDone = entry.resolveAbsent()
    #expect(!isDone && entry.attempts[0].carried["likes"] == 3, "the record may be hidden")
  }

  @Test func `the question names the number and what was done to it`() {
    let texts = [Self.inDoubt(), Self.numberInDoubt(.null), Self.numberInDoubt(8)]
      .map { $0.doubtfulIncrements(["likes": 10]) }
    #expect(
      texts[0].contains(
        "likes had the number 5, the change adds the number 1, and the server has the number 10 now."
      ))
    #expect(texts[1].contains("the change clears it, and the server"))
    #expect(texts[2].contains("the change sets it to the number 8"))
  }

  @Test func `an import leaves row and base of an addition in doubt alone`() {
    var entry = Self.inDoubt()
    let remote: Fields = ["likes": 7, "title": "Final"]
    let outcome = ThreeWayMerge(entity: Self.entity, policy: .remoteWins)
      .merge(entry, row: Self.row(6), remote: [7, "Final"], acl: .null)
    #expect(outcome.values == [6, "Final"] && outcome.changed == ["likes"])
    let isDone = entry.join(outcome.changed, onto: remote, version: Self.other, isConfirmed: false)
    #expect(!isDone && entry.base == ["likes": 5] && entry.undecidedFields == ["likes"])
  }

  @Test(arguments: [(true, 6), (false, 5)])
  func `the app decides, and the record is imported`(counted: Bool, base: Value) {
    var entry = Self.inDoubt()
    let isEarly = entry.decideIncrements(counted: counted, current: ["likes": 8])
    #expect(!isEarly, "not parked yet")
    entry.refuse(Refusal(reason: .undecidable, message: ""))
    #expect(entry.hasUnresolvedAttempts)
    #expect(entry.reversingEdit == nil, "nobody knows what a discard would restore")
    let isDecided = entry.decideIncrements(counted: counted, current: ["likes": 8])
    #expect(isDecided)
    #expect(entry.state == .blocked(by: .newerVersion))
    #expect(entry.base == ["likes": base] && entry.changed == ["likes"])
    #expect(entry.undecidedFields.isEmpty && entry.attempts.isEmpty)
    let outcome = ThreeWayMerge(entity: Self.entity, policy: .remoteWins)
      .merge(entry, row: Self.row(8), remote: [10, .null], acl: .null)
    #expect(outcome.values == [counted ? 12 : 13, .null])
  }

  @Test func `a retry does not answer the question`() {
    var entry = Self.inDoubt()
    entry.refuse(Refusal(reason: .undecidable, message: ""))
    let before = entry
    let isRetried = entry.sendAgain()
    #expect(!isRetried && entry == before)
  }

  @Test func `what went with the addition stays known as this device's own`() {
    var entry = Self.inDoubt(title: "Finale")
    entry.refuse(Refusal(reason: .undecidable, message: ""))
    let isDecided = entry.decideIncrements(
      counted: true, current: ["likes": 6, "title": "Last"])
    #expect(isDecided)
    #expect(entry.isRemoteUnchanged("title", "Finale"))
    #expect(entry.changed == ["title"] && !entry.hasUnresolvedAttempts)
  }

  @Test func `a delete waits for the addition, and the question returns with the row`() {
    var entry = Self.inDoubt()
    entry.kind = .delete
    entry.withdrawn = ["likes": 6]
    let early = Self.settle(&entry, Self.other, likes: 6, at: Self.start)
    #expect(early == .mayStillRun)
    let outcome = Self.settle(&entry, Self.other, likes: 6, at: Self.late)
    #expect(outcome == .settled && entry.undecidedFields.isEmpty)
    let back = entry.takingBackDelete()
    #expect(back.state == .inDoubt && back.undecidedFields == ["likes"])
  }

  @Test func `a delete of a hidden record keeps the question for an undo`() {
    var entry = Self.inDoubt()
    entry.kind = .delete
    entry.createdAt = Self.start
    let isDone = entry.resolveAbsent()
    #expect(!isDone && entry.state == .confirming && entry.hasIncrementsSetAside)
    var shown = entry
    let isOver = shown.confirm(
      remote: ["likes": 6], createdAt: Self.start, listingStartedAt: Self.late,
      maximumRequestDuration: .seconds(120))
    #expect(!isOver && shown.state == .ready && shown.hasIncrementsSetAside, "it is there again")
    let isForgotten = entry.confirmAbsent(
      listingStartedAt: Self.late, maximumRequestDuration: .seconds(120), current: nil)
    #expect(isForgotten && entry.knownToApp["likes"] == 5)
  }

  @Test func `an undone delete asks also where the row has the number of before`() {
    var entry = Self.inDoubt()
    entry.kind = .create
    entry.createdAt = Self.start
    _ = entry.resolvePresent(
      version: Self.other, createdAt: Self.start, remote: ["likes": 6], current: ["likes": 5])
    #expect(entry.kind == .update && entry.undecidedFields == ["likes"])
    #expect(entry.changed == ["likes"], "an import would change the row otherwise")
  }

  @Test func `a hidden record leaves the addition in doubt`() {
    var entry = Self.inDoubt()
    let isDone = entry.resolveAbsent()
    #expect(!isDone && entry.state == .blocked(by: .notFound))
    #expect(entry.undecidedFields == ["likes"])
    entry.meet(Self.other)
    #expect(entry.state == .inDoubt)
  }

  @Test func `the last try counts, by a clock that nobody sets`() {
    var entry = Self.sending()
    entry.noteLastTry(at: Self.start, uptime: 50)
    entry.lose(timedOut: true)
    entry.trustClock(at: Self.late, uptime: 51)
    #expect(!entry.isOver(at: Self.late, maximumRequestDuration: .seconds(120)))
    entry.trustClock(at: Self.late, uptime: 170)
    #expect(entry.isOver(at: Self.late, maximumRequestDuration: .seconds(120)))
    entry.trustClock(at: Self.late, uptime: 3)
    #expect(
      !entry.isOver(at: Self.late, maximumRequestDuration: .seconds(120)),
      "the device was started anew")
  }

  @Test func `a discard after the decision waits for an import`() {
    var entry = Self.inDoubt()
    entry.refuse(Refusal(reason: .undecidable, message: ""))
    let isDecided = entry.decideIncrements(counted: true, current: ["likes": 6])
    #expect(isDecided && entry.isOutdated)
    entry.enterAfterEdit()
    #expect(entry.state == .blocked(by: .newerVersion))
    #expect(entry.obstacle(shown: Self.known, over: Self.row(6), unreadable: nil) == .newerVersion)
    let isDone = entry.join([], onto: ["likes": 16], version: Self.other, isConfirmed: true)
    #expect(isDone && !entry.isOutdated)
  }
}
