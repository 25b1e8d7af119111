// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness
import Testing

@testable import FerryPlanning

/// An entry is the same after it was written and read.
@Suite(.timeLimit(.minutes(1)))
struct OutboxEntryNoteTests {
  @Test func `generated entries are read as written, also with a member of a newer program`() throws
  {
    var chance = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let entry = AnyEntry.make(&chance)
      let text = WireJSON.text(of: entry)
      #expect(try JSONText.note(OutboxEntry.self, from: text) == entry)
      var newer = text
      newer.insert(contentsOf: #""new":[{"a":1}],"#, at: newer.index(after: newer.startIndex))
      #expect(try JSONText.note(OutboxEntry.self, from: newer) == entry)
    }
  }

  @Test func `an entry with all that it can have has this text`() throws {
    var entry = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: 7), objectID: "g1", kind: .update,
      foldedThrough: HistoryToken(rawValue: 12))
    entry.changed = ["title", "score"]
    entry.base = [
      "title": "Final", "when": .date(Timestamp(milliseconds: 1000)),
      "fans": .relation(className: "Fan"),
    ]
    entry.baseVersion = ServerVersion(rawValue: "v1")
    entry.createdAt = Timestamp(milliseconds: 0)
    entry.acl = ["*": ["read": true]]
    entry.clientKey = "k"
    entry.acknowledgedVersion = ServerVersion(rawValue: "v2")
    entry.lastKnown = ["note": "at noon"]
    entry.rewritten = ["league"]
    entry.withdrawn = ["note": "gone"]
    var attempt = Attempt(
      kind: .create, sent: ["score": 1.5], withheld: ["b", "a"], token: HistoryToken(rawValue: 3),
      startedAt: Timestamp(milliseconds: 5))
    attempt.outcome = .late
    attempt.mayStillRun = false
    entry.attempts = [attempt]
    for _ in 0..<6 { entry.failures.add(isShared: false, at: Timestamp(milliseconds: 0)) }
    let league = Waiting(className: "League", localID: LocalID(rawValue: 2), field: "league")
    entry.enter(.blocked(by: .record(league)))
    #expect(WireJSON.text(of: entry) == Self.text)
    #expect(try JSONText.note(OutboxEntry.self, from: Self.text) == entry)
  }

  /// As stores have had it since the first format.
  private static let text =
    #"{"acknowledgedVersion":"v2","acl":{"*":{"read":true}},"attempts":[{"kind":"create","#
    + #""mayStillRun":false,"outcome":"late","sent":{"score":1.5},"#
    + #""startedAt":"1970-01-01T00:00:00.005Z","token":3,"withheld":["a","b"]}],"#
    + #""base":{"fans":{"__type":"Relation","className":"Fan"},"title":"Final","#
    + #""when":{"__type":"Date","iso":"1970-01-01T00:00:01.000Z"}},"baseVersion":"v1","#
    + #""changed":["score","title"],"className":"Game","clientKey":"k","#
    + #""createdAt":"1970-01-01T00:00:00.000Z","failures":{"count":6,"isShared":false,"#
    + #""pause":"1970-01-01T00:00:02.000Z"},"foldedThrough":12,"kind":"update","#
    + #""lastKnownValues":{"note":"at noon"},"localID":7,"#
    + #""objectID":"g1","rewrittenFields":["league"],"state":{"blocked":{"by":{"record":{"_0":"#
    + #"{"className":"League","field":"league","localID":2}}}}},"withdrawnEdits":{"note":"gone"}}"#

  @Test(arguments: [
    "", "[]", "{}", #"{"className":"Game"}"#, text + "x", text.replacing("12", with: "1.5"),
    text.replacing("update", with: "upsert"), text.replacing("blocked", with: "stopped"),
    text.replacing("record", with: "records"), text.replacing(#""b"]"#, with: "7]"),
    text.replacing("1970-01-01T00:00:00.005Z", with: "noon"),
    text.replacing(#""localID":7,"#, with: ""),
  ])
  func `a text that is no entry is refused`(_ text: String) {
    #expect(throws: JSONText.Malformed.self) { try JSONText.note(OutboxEntry.self, from: text) }
  }
}

/// Entries with any content.
private enum AnyEntry {
  static func make(_ chance: inout SeededGenerator) -> OutboxEntry {
    var entry = OutboxEntry(
      className: text(&chance), localID: LocalID(rawValue: Int64(chance.number(below: 1000))),
      objectID: text(&chance),
      kind: [.create, .update, .delete, .deleteAfterCreate][chance.number(below: 4)],
      foldedThrough: HistoryToken(rawValue: Int64(chance.number(below: 1000))))
    entry.changed = names(&chance)
    entry.base = fields(&chance)
    if chance.one(in: 2) { entry.baseVersion = ServerVersion(rawValue: text(&chance)) }
    if chance.one(in: 2) { entry.createdAt = time(&chance) }
    if chance.one(in: 3) { entry.acl = ["*": ["read": true]] }
    if chance.one(in: 2) { entry.clientKey = text(&chance) }
    if chance.one(in: 3) { entry.acknowledgedVersion = ServerVersion(rawValue: text(&chance)) }
    if chance.one(in: 3) { entry.lastKnown = fields(&chance) }
    if chance.one(in: 3) { entry.rewritten = names(&chance) }
    if chance.one(in: 3) { entry.withdrawn = fields(&chance) }
    for _ in 0..<chance.number(below: 3) { entry.attempts.append(attempt(&chance)) }
    for _ in 0..<chance.number(below: 8) {
      entry.failures.add(isShared: chance.one(in: 3), at: time(&chance))
    }
    entry.enter(state(&chance))
    if chance.one(in: 2) { entry.rule = text(&chance) }
    return entry
  }

  private static func attempt(_ chance: inout SeededGenerator) -> Attempt {
    var attempt = Attempt(
      kind: chance.one(in: 2) ? .create : .update, sent: fields(&chance), withheld: names(&chance),
      token: HistoryToken(rawValue: Int64(chance.number(below: 50))), startedAt: time(&chance))
    attempt.outcome = chance.one(in: 2) ? .late : .unknown
    attempt.mayStillRun = chance.one(in: 2)
    if chance.one(in: 3) {
      attempt.increments = SentIncrements(
        targets: fields(&chance), versions: names(&chance), isOfBackup: chance.one(in: 2))
    }
    if chance.one(in: 3) {
      attempt.elements = SentElements(added: fields(&chance), removed: fields(&chance))
    }
    return attempt
  }

  private static func state(_ chance: inout SeededGenerator) -> OutboxEntry.State {
    let waiting = Waiting(
      className: text(&chance), localID: LocalID(rawValue: Int64(chance.number(below: 9))),
      field: text(&chance))
    let code = chance.one(in: 2) ? nil : chance.number(below: 200)
    let states: [OutboxEntry.State] = [
      .ready, .sending, .inDoubt, .confirming,
      .parked(Refusal(reason: .exhausted, code: code, message: text(&chance))),
      .blocked(by: .record(waiting)), .blocked(by: .newerVersion), .blocked(by: .notFound),
      .blocked(by: .quarantine(text(&chance))), .blocked(by: .confirmation(text(&chance))),
      .blocked(by: .backOff(until: time(&chance))), .blocked(by: .formerID(field: text(&chance))),
      .blocked(by: .keptRow(text(&chance))), .blocked(by: .newFile(text(&chance), until: nil)),
      .blocked(by: .newFile(text(&chance), until: time(&chance))),
    ]
    return states[chance.number(below: states.count)]
  }

  private static func fields(_ chance: inout SeededGenerator) -> Fields {
    let values: [Value] = [
      .null, .string(text(&chance)), .integer(-7), .number(0.1), .number(.infinity), .boolean(true),
      .date(time(&chance)), .pointer(Pointer(className: "League", objectID: text(&chance))),
      .bytes([0, 255]), ["a": ["b": [1, .null]]], [1, "x", ["y": 2]],
      .geoPoint(GeoPoint(latitude: 1, longitude: -2.5)),
      .polygon([GeoPoint(latitude: 0, longitude: 1), GeoPoint(latitude: 1, longitude: 1)]),
      .file(File(name: text(&chance), url: nil)), .relation(className: "Fan"),
      [["__type": "Relation", "className": "Fan"]],
    ]
    return names(&chance).reduce(into: Fields()) {
      $0[$1] = values[chance.number(below: values.count)]
    }
  }

  private static func names(_ chance: inout SeededGenerator) -> Set<String> {
    Set((0..<chance.number(below: 4)).map { _ in text(&chance) })
  }

  private static func text(_ chance: inout SeededGenerator) -> String {
    ["", "title", "a \"quoted\"\n\\ text", "Äß€😀", "a longer name than fifteen bytes", "\u{1}"][
      chance.number(below: 6)]
  }

  private static func time(_ chance: inout SeededGenerator) -> Timestamp {
    Timestamp(milliseconds: Int64(chance.number(below: 1_000_000)))
  }
}
