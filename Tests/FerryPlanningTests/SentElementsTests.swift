// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Testing

@testable import FerryPlanning

/// Elements of arrays whose requests had no answer, or came late.
@Suite(.timeLimit(.minutes(1)))
struct SentElementsTests {
  private static let start = Timestamp(milliseconds: 1_000)
  private static let version = ServerVersion(rawValue: "v2")

  /// An edit of the tags that is being sent as an operation.
  private static func sending(from base: Value, to tags: Value) throws -> OutboxEntry {
    let row = Record(
      className: "Note", localID: LocalID(rawValue: 1), objectID: "n1", fields: ["tags": tags],
      createdAt: start)
    var entry = OutboxEntry(editing: row, foldedThrough: .start)
    entry.overwrite(["tags": base])
    let operation = try #require(FieldOperation(.set, from: base, to: tags))
    var attempt = Attempt(
      kind: .update, sent: ["tags": operation.target(from: base, to: tags)], token: .start,
      startedAt: start)
    attempt.elements = SentElements(["tags": operation])
    entry.begin(attempt)
    return entry
  }

  @Test func `an element that arrived and that the app took back is removed`() throws {
    var entry = try Self.sending(from: ["a"], to: ["a", "b"])
    entry.lose(timedOut: false)
    let isDone = entry.resolvePresent(
      version: Self.version, createdAt: Self.start, remote: ["tags": ["a", "c", "b"]],
      current: ["tags": ["a"]])
    #expect(!isDone && entry.state == .ready && entry.changed == ["tags"])
    #expect(entry.base == ["tags": ["a", "b"]], "c is another client's")
  }

  @Test func `an element whose removal arrived and that the app took back is added`() throws {
    var entry = try Self.sending(from: ["a", "b"], to: ["a"])
    entry.lose(timedOut: false)
    _ = entry.resolvePresent(
      version: Self.version, createdAt: Self.start, remote: ["tags": ["a", "c"]],
      current: ["tags": ["a", "b"]])
    #expect(entry.state == .ready && entry.base == ["tags": ["a"]])
  }

  @Test func `an addition that comes after its removal is removed again`() throws {
    var entry = try Self.sending(from: ["a"], to: ["a", "b"])
    entry.lose(timedOut: true)
    _ = entry.resolvePresent(
      version: nil, createdAt: Self.start, remote: ["tags": ["a"]], current: ["tags": ["a"]])
    #expect(entry.state == .confirming)
    let isDone = entry.confirm(
      remote: ["tags": ["c", "a", "b"]], createdAt: Self.start, listingStartedAt: Self.start,
      maximumRequestDuration: .seconds(120))
    #expect(!isDone && entry.state == .ready && entry.changed == ["tags"])
    #expect(entry.base == ["tags": ["a", "b"]])
  }

  /// The array of the request is no array that the server ever had since another client added to it.
  @Test func `what another client removes after an import stays removed`() throws {
    let entity = Entity("Note") { Field("tags", .array, merge: .set) }
    var entry = try Self.sending(from: ["a"], to: ["a", "b"])
    entry.lose(timedOut: true)
    var row = Record(
      className: "Note", localID: LocalID(rawValue: 1), objectID: "n1",
      fields: ["tags": ["a", "b"]], createdAt: Self.start)
    for remote in [["a", "b", "c"], ["a", "b"]] as [Value] {
      let outcome = ThreeWayMerge(entity: entity, policy: .remoteWins)
        .merge(entry, row: row, remote: [remote], acl: .null)
      #expect(outcome.values == [remote])
      row.fields["tags"] = outcome.values[0]
      _ = entry.join(
        outcome.changed, onto: ["tags": remote], version: Self.version, isConfirmed: false)
    }
  }

  @Test func `a request that is over is known by what the server shows`() throws {
    var entry = try Self.sending(from: ["a"], to: ["a", "b"])
    entry.lose(timedOut: true)
    entry.settleElements(at: [0], shownBy: ["tags": ["a", "b", "c"]])
    #expect(entry.base == ["tags": ["a", "b"]] && entry.attempts[0].sent.isEmpty)
  }

  @Test func `an element that did not arrive is nobody's`() throws {
    let elements = SentElements(added: ["tags": ["b"]], removed: ["tags": ["a"]])
    #expect(elements.base(of: "tags", from: ["a"], shownBy: ["a", "c"]) == nil)
    #expect(elements.base(of: "tags", from: .null, shownBy: ["b"]) == ["b"])
    #expect(elements.base(of: "tags", from: ["a"], shownBy: .null) == [])
  }
}
