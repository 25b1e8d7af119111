// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

/// Unsent additions of a store that went back to a backup.
@Suite(.timeLimit(.minutes(1)))
struct OutboxBackupTests {
  private static let start = Timestamp(milliseconds: 1_000)
  private static let late = Timestamp(milliseconds: 200_000)
  private static let known = ServerVersion(rawValue: "v1")
  private static let other = ServerVersion(rawValue: "v2")
  private static let unedited = ServerVersion(rawValue: start.description)

  private static func row(_ likes: Value) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1",
      fields: ["likes": likes], createdAt: start, version: known)
  }

  private static func atBackup(title: Value? = nil) -> OutboxEntry {
    var entry = OutboxEntry(editing: row(6), foldedThrough: .start)
    entry.overwrite(title == nil ? ["likes": 5] : ["likes": 5, "title": "Final"])
    return entry
  }

  private static func doubt(_ entry: inout OutboxEntry, in row: Record? = row(6)) -> Bool {
    entry.doubtIncrements(of: ["likes"], in: row, token: .start, at: start)
  }

  private static func settle(
    _ entry: inout OutboxEntry, _ version: ServerVersion, likes: Value
  ) -> OutboxEntry.IncrementOutcome {
    entry.settleIncrements(
      over: version, ["likes": likes], askedAt: late, maximumRequestDuration: .seconds(120))
  }

  @Test func `an addition goes again if no write has reached the record`() {
    var entry = Self.atBackup()
    #expect(Self.doubt(&entry) && entry.state == .inDoubt)
    #expect(Self.settle(&entry, Self.known, likes: 5) == .settled)
    #expect(entry.changed == ["likes"] && entry.base["likes"] == 5)
  }

  @Test func `an addition waits for the app if the record has changed`() {
    var entry = Self.atBackup()
    #expect(Self.doubt(&entry))
    #expect(Self.settle(&entry, Self.other, likes: 6) == .undecidable)
    #expect(entry.undecidedFields == ["likes"])
    let question = entry.doubtfulIncrements(["likes": 6])
    #expect(question.contains("went back to a backup") && question.contains("adds"))
    #expect(!question.contains("lost"))
  }

  @Test func `no question is raised about other fields, and none twice`() {
    var plain = OutboxEntry(editing: Self.row(5), foldedThrough: .start)
    plain.overwrite(["title": "Final"])
    #expect(!Self.doubt(&plain) && plain.state == .ready)
    var entry = Self.atBackup(title: "Final")
    #expect(Self.doubt(&entry))
    #expect(!Self.doubt(&entry), "the question is open already")
  }

  // MARK: Deleted rows

  @Test func `the question about a deleted row waits for the row`() {
    var entry = OutboxEntry(deleting: Self.row(5), foldedThrough: .start)
    entry.withdrawn = ["likes": 6]
    #expect(Self.doubt(&entry, in: nil) && entry.state == .ready, "the delete goes at once")
    #expect(!Self.doubt(&entry, in: nil))
    #expect(entry.takingBackDelete().undecidedFields == ["likes"])
  }

  @Test func `a deleted row without an addition raises no question`() {
    var entry = OutboxEntry(deleting: Self.row(5), foldedThrough: .start)
    #expect(!Self.doubt(&entry, in: nil))
    entry.withdrawn = ["title": "Final"]
    #expect(!Self.doubt(&entry, in: nil))
  }

  // MARK: Creates

  private static func create(_ likes: Value, sent: Value? = nil) -> OutboxEntry {
    var entry = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1", kind: .create,
      foldedThrough: .start)
    entry.changed = ["likes", "title"]
    if let sent {
      var attempt = Attempt(kind: .create, sent: title, token: .start, startedAt: start)
      attempt.increments = SentIncrements(targets: ["likes": sent], versions: [])
      entry.begin(attempt)
      entry.lose(timedOut: true)
    }
    #expect(doubt(&entry, in: unsentRow(likes)))
    #expect(!doubt(&entry, in: unsentRow(likes)))
    return entry
  }

  private static let title: Fields = ["title": "One"]

  private static func unsentRow(_ likes: Value) -> Record {
    Record(
      className: "Game", localID: LocalID(rawValue: 1), objectID: "g1",
      fields: ["likes": likes, "title": "One"])
  }

  private static func find(
    _ entry: inout OutboxEntry, _ version: ServerVersion, likes: Value, row: Value
  ) -> Bool {
    entry.resolvePresent(
      version: version, createdAt: start, remote: ["likes": likes, "title": "One"],
      current: unsentRow(row).fields)
  }

  @Test func `the number of an unsent create is not added to its record`() {
    var entry = Self.create(3)
    #expect(entry.state == .ready)
    #expect(!Self.find(&entry, Self.unedited, likes: 3, row: 3))
    #expect(entry.changed == ["title"] && entry.undecidedFields.isEmpty)
    entry = Self.create(3)
    #expect(!Self.find(&entry, Self.other, likes: 10, row: 3))
    #expect(entry.changed == ["title"] && entry.undecidedFields.isEmpty)
  }

  @Test func `another number than that of the create is a question`() {
    var entry = Self.create(5)
    #expect(!Self.find(&entry, Self.unedited, likes: 3, row: 5))
    #expect(entry.undecidedFields == ["likes"] && entry.base["likes"] == 3)
    #expect(Self.settle(&entry, Self.unedited, likes: 3) == .undecidable)
  }

  @Test func `an addition to a create in doubt goes again if nobody has edited the record`() {
    var entry = Self.create(5, sent: 3)
    #expect(!Self.find(&entry, Self.unedited, likes: 3, row: 5))
    #expect(entry.undecidedFields == ["likes"] && entry.state == .inDoubt)
    #expect(Self.settle(&entry, Self.unedited, likes: 3) == .settled)
    #expect(entry.changed == ["likes"] && entry.base["likes"] == 3)
  }

  @Test func `an addition to a create in doubt is a question if the record has changed`() {
    var entry = Self.create(5, sent: 3)
    #expect(!Self.find(&entry, Self.other, likes: 5, row: 5))
    #expect(Self.settle(&entry, Self.other, likes: 5) == .undecidable)
  }
}
