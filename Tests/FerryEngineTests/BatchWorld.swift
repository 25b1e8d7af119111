// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import Randomness
import Testing

@testable import FerryEngine

/// A store in which an import meets rows, edits, deletes, quarantine and replaced ids.
struct BatchWorld {
  private static let schema = Schema {
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("rating", .number)
      Field("isOpen", .boolean)
      Field("playedAt", .date)
      Field("rival", .pointer(to: "Game"))
      Field("tags", .array)
      Field("place", .geoPoint)
      Field("details", .object)
      Field("logo", .bytes)
      Field("fans", .relation(to: "Fan"))
      Field("isRemoved", .boolean)
    }
    .deletions(.softDelete(field: "isRemoved"))
  }
  private static let now = Timestamp(milliseconds: 1_772_389_800_000)
  private static let replaced = "0123456789abcdef0123"

  private let store: any SyncStore
  private var importer: PageImporter
  private var outcome = ImportOutcome()

  /// A store in a file, or in memory.
  static func store(_ file: URL?, bulkUpdate: Int? = nil) throws -> any SyncStore {
    let generator = SeededGenerator(seed: 7)
    if let file {
      return try SQLiteStore(
        at: file, schema: schema, generator: generator, bulkUpdate: bulkUpdate
      ) { now }
    }
    return try InMemoryStore(schema: schema, generator: generator) { now }
  }

  init(_ store: any SyncStore) {
    self.store = store
    importer = PageImporter(
      ImportPlanner(
        entity: Self.schema.entities[0], policy: .remoteWins, now: Self.now,
        listingStartedAt: Self.now), clientKeyField: "ferryKey")
  }

  // MARK: - What was before

  /// Imports rows, edits and deletes some, and lets a create and its server's id be known.
  mutating func prepare(_ chance: inout SeededGenerator) throws {
    let page = Self.page((0..<6).map { Self.record($0, &chance, isSimple: true) })
    try importPages([page], byBatch: false)
    outcome = ImportOutcome()
    for number in 0..<6 {
      guard let row = try store.read({ try $0.record(of: "Game", objectID: "g\(number)") }) else {
        continue
      }
      switch chance.number(below: 7) {
      case 0:
        try store.write { try $0.update("Game", row.localID, ["title": "mine", "score": 7]) }
      case 1: try store.write { try $0.delete("Game", row.localID) }
      case 2: try store.sync(.normal) { try $0.remove([row.localID], from: "Game") }
      case 3:
        try store.sync(.normal) {
          try $0.quarantine(
            QuarantinedRecord(
              className: "Game", objectID: row.objectID, version: nil, raw: "{}",
              reason: "It is bad.",
              schemaFingerprint: "other"))
        }
      default: break
      }
    }
    guard chance.one(in: 2) else { return }
    let create = try store.write {
      try $0.insert("Game", ["title": "new"], objectID: Self.replaced)
    }
    guard chance.one(in: 2) else { return }
    try store.sync(.normal) { transaction throws(StoreError) in
      try transaction.fold()
      try transaction.acknowledgeCreate(
        of: "Game", localID: create.localID, objectID: "g7", createdAt: Self.created)
    }
  }

  // MARK: - Pages

  /// Pages with records of many kinds; some come once more, with nothing but another stamp.
  static func pages(_ chance: inout SeededGenerator) -> [Data] {
    var earlier: [Int: String] = [:]
    return (0..<(1 + chance.number(below: 3))).map { _ in
      let count = chance.number(below: 24)
      var numbers = (0..<30).shuffled(using: &chance).prefix(count).map { $0 }
      if count > 1, chance.one(in: 12) { numbers.append(numbers[0]) }
      // A store asks otherwise which rows of a long page something concerns.
      if chance.one(in: 4) { numbers += 30..<140 }
      return page(
        numbers.map { number in
          if let text = earlier[number], chance.one(in: 3) {
            return text.replacing(/"updatedAt":"[^"]*"/, with: stamp(&chance))
          }
          let text = record(
            number, &chance, isSimple: number >= 30 || chance.number(below: 4) > 0)
          earlier[number] = text
          return text
        })
    }
  }

  private static func stamp(_ chance: inout SeededGenerator) -> String {
    let time = Timestamp(milliseconds: 1_700_000_000_000 + Int64(chance.number(below: 3)))
    return #""updatedAt":"\#(time)""#
  }

  private static func page(_ records: [String]) -> Data {
    Data(#"{"results":[\#(records.joined(separator: ","))]}"#.utf8)
  }

  private static let created = Timestamp(milliseconds: 1_700_000_000_000)

  private static func record(
    _ number: Int, _ chance: inout SeededGenerator, isSimple: Bool = false
  ) -> String {
    var members = [
      #""objectId":"g\#(number)""#, #""createdAt":"\#(created)""#,
      stamp(&chance),
    ]
    for (name, contents) in values where chance.number(below: 3) > 0 {
      members.append(
        #""\#(name)":\#(contents[chance.number(below: isSimple ? 2 : contents.count)])"#)
    }
    if !isSimple {
      if chance.one(in: 12) { members.append(#""isRemoved":true"#) }
      if chance.one(in: 8) { members.append(#""ferryKey":"\#(chance.pick([replaced, "g3"]))""#) }
      if chance.one(in: 8) { members.append(#""title":"twice""#) }
      if chance.one(in: 8) { members += [#""stranger":1"#, #""other":[{"a":1}]"#] }
      if chance.one(in: 20) { members += [#""stranger":1"#, #""stranger":2"#] }
      if chance.one(in: 6) { members.shuffle(using: &chance) }
    }
    return "{\(members.joined(separator: ","))}"
  }

  /// Contents of fields; the first two of each are common.
  private static let values: [(String, [String])] = [
    ("title", [#""a""#, #""b""#, #""quoted \" \n \u0001 é""#, #""""#, "null", "5"]),
    ("score", ["1", "2", "3.0", "-9007199254740992", "1e3", "1.5", "18446744073709551615"]),
    ("rating", ["1", "2.5", "1e300", "-0.0", "3", #""x""#]),
    ("isOpen", ["true", "false", "null", "1"]),
    (
      "playedAt",
      [
        #"{"__type":"Date","iso":"2026-03-01T18:30:00.250Z"}"#,
        #"{"__type":"Date","iso":"2026-03-01T18:30:00.251Z"}"#,
        #"{"iso":"2026-03-01T18:30:00.251Z","more":1,"__type":"Date"}"#,
        #"{"__type":"Date","iso":"2026-03-01"}"#, #""2026-03-01T18:30:00.251Z""#,
      ]
    ),
    (
      "rival",
      [
        #"{"__type":"Pointer","className":"Game","objectId":"g1"}"#,
        #"{"__type":"Pointer","className":"Game","objectId":"g2"}"#,
        #"{"__type":"Pointer","className":"Game","objectId":"\#(replaced)"}"#,
        #"{"__type":"Pointer","className":"Team","objectId":"g2"}"#,
      ]
    ),
    (
      "tags",
      [
        #"["x","y"]"#, "[]", #"[1,1.5,true,null,"\"",3.0]"#, #"[[1],{"b":1,"a":2}]"#,
        #"[{"__type":"Pointer","className":"Game","objectId":"\#(replaced)"}]"#,
        #"[{"a":1,"a":2}]"#, "{}",
      ]
    ),
    (
      "place",
      [
        #"{"__type":"GeoPoint","latitude":1,"longitude":2.5}"#,
        #"{"__type":"GeoPoint","latitude":1,"longitude":2}"#,
        #"{"longitude":2.25,"latitude":-1,"__type":"GeoPoint"}"#, #"{"latitude":1,"longitude":2}"#,
      ]
    ),
    ("details", [#"{"b":1,"a":[2]}"#, "{}", #"{"a":[2.0],"b":1}"#, "[]"]),
    (
      "logo",
      [
        #"{"__type":"Bytes","base64":"aGVsbG8="}"#, #"{"__type":"Bytes","base64":"aGk="}"#,
        #"{"__type":"Bytes","base64":""}"#, #"{"__type":"Bytes","base64":"?"}"#,
      ]
    ),
    ("fans", [#"{"__type":"Relation","className":"Fan"}"#, "null", "3"]),
    ("ACL", [#"{"*":{"read":true}}"#, #"{"u1":{"write":true,"read":true}}"#, "null", "[]"]),
  ]

  /// Imports pages in one transaction.
  mutating func importPages(_ pages: [Data], byBatch: Bool) throws {
    var (importer, outcome) = (importer, outcome)
    var areReadable = true
    try store.sync(.normal) { transaction throws(StoreError) in
      try transaction.fold()
      for bytes in pages {
        if byBatch, let page = try? importer.reader.readBatch(bytes) {
          try importer.importPage(page, into: transaction, &outcome)
        } else if !byBatch, let page = try? importer.reader.read(bytes) {
          outcome.records += page.rowCount
          try importer.importRecords(page.records, page.failures, into: transaction, &outcome)
        } else {
          areReadable = false
        }
      }
    }
    try #require(areReadable)
    (self.importer, self.outcome) = (importer, outcome)
  }

  // MARK: - What is left

  /// Everything that the import left, by object ids: local ids depend on the order of the writes.
  struct End {
    var rows: [String: String] = [:]
    var entries: [String] = []
    var quarantine: [String] = []
    var conflicts: [String] = []
    var history: [String] = []
    var actions: [String] = []
    var unchanged = 0
    var records = 0
    var shownFields = Set<String>()

    static let allKinds: Set<String> = [
      "insert", "update", "remove", "quarantine", "merge", "unchanged", "entry", "conflict",
    ]

    /// The lines that only one of two ends has.
    func difference(from other: End) -> [String] {
      let (own, others) = (lines, other.lines)
      return Set(own).symmetricDifference(others).sorted()
        + (own.count == others.count ? [] : ["\(own.count) and \(others.count) lines"])
    }

    private var lines: [String] {
      rows.map { "\($0.key): \($0.value)" }.sorted() + entries + quarantine + conflicts + history
        + actions + ["\(unchanged) unchanged of \(records), shown: \(shownFields.sorted())"]
    }

    /// What happened, in words.
    var kinds: Set<String> {
      var kinds = Set(actions.map { String($0.prefix { $0 != " " }) })
      if unchanged > 0 { kinds.insert("unchanged") }
      if !entries.isEmpty { kinds.insert("entry") }
      if !conflicts.isEmpty { kinds.insert("conflict") }
      return kinds
    }
  }

  func end() throws -> End {
    try store.syncRead { reader throws(StoreError) in
      var end = End()
      var names: [LocalID: String] = [:]
      for row in try reader.records(
        of: "Game", where: nil, orderedBy: [], limit: nil, offset: 0)
      {
        names[row.localID] = row.objectID
        end.rows[row.objectID] =
          "\(Value.object(row.fields.values).json) \(row.acl.json) \(String(describing: row.createdAt)) "
          + "\(String(describing: row.version))"
      }
      for var entry in try reader.outbox(of: nil) {
        names[entry.localID] = entry.objectID
        entry.rename(to: entry.objectID)
        end.entries.append(
          "\(entry.objectID) \(entry.kind) \(entry.state) \(entry.changed.sorted()) "
            + Value.object(entry.base.values).json)
      }
      end.entries.sort()
      end.quarantine = try reader.quarantine(of: nil).map { "\($0)" }
      end.conflicts = try reader.conflicts(of: nil, before: nil, limit: nil).map {
        "\($0.record.objectID) \($0.reason) \(Value.object($0.lost.values).json)"
      }.sorted()
      for change in try reader.changes(after: .start, limit: .max) {
        for number in change.localIDs.lowerBound.rawValue...change.localIDs.upperBound.rawValue {
          let name = names[LocalID(rawValue: number)] ?? "gone"
          end.history.append("\(name) \(change.kind) \(change.fields.sorted()) \(change.author)")
        }
      }
      end.history.sort()
      end.actions = outcome.actions.map {
        "\($0.kind) \($0.objectID ?? "") \($0.fields) \($0.reason ?? "")"
      }.sorted()
      (end.unchanged, end.records) = (outcome.unchanged, outcome.records)
      end.shownFields = importer.shownFields
      return end
    }
  }
}
