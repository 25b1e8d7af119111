// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import FerryTestSupport
import Foundation
import Randomness
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// The end of a run counts changes that it does not read as if it had read them.
@Suite(.timeLimit(.minutes(2))) struct RemainderTests {
  private static let now = Timestamp(milliseconds: 1_800_000_000_000)

  @Test(arguments: 0..<80)
  func `changes that nobody has tried to send count as they would if they were read`(
    _ seed: Int
  ) throws {
    let folder = try TemporaryDirectory()
    let file = folder.url.appending(path: "store.sqlite")
    var chance = SeededGenerator(seed: UInt64(seed))
    let store = try SQLiteStore(at: file, schema: Sports.schema)
    try Self.prepare(store, &chance)
    // In half of the worlds, the schema leaves a class out that has changes.
    let names = chance.one(in: 2) ? ["Game", "League"] : [chance.pick(["Game", "League"])]
    let reader = try SQLiteStore(
      at: file, schema: Schema(Sports.schema.entities.filter { names.contains($0.name) }))
    try reader.syncRead { (reader) throws -> Void in
      let read = try Read(reader, at: Self.now)
      #expect(try reader.remaining() == read.remaining)
      #expect(try reader.nextSync(at: Self.now, SyncOptions()) == read.next)
    }
  }

  @Test func `a sync is due for an edit that is not folded yet`() throws {
    let store = try InMemoryStore(schema: Sports.schema)
    let next = {
      try store.syncRead { reader throws(StoreError) in
        try reader.nextSync(at: Self.now, SyncOptions())
      }
    }
    #expect(try next() == nil)
    try store.write { _ = try $0.insert("Game", ["title": "new"]) }
    #expect(try next() == Self.now)
  }

  /// Leaves changes in all states, of classes that the last run left out or did not.
  private static func prepare(
    _ store: SQLiteStore, _ chance: inout SeededGenerator
  ) throws {
    for name in ["Game", "League"] {
      let count = chance.number(below: 5)
      try store.write { for _ in 0..<count { _ = try $0.insert(name, [:]) } }
    }
    var numbers = chance
    try store.sync(.full) { (transaction) throws -> Void in
      try transaction.fold()
      for before in try transaction.outbox(of: nil) where !numbers.one(in: 2) {
        var entry = before
        change(&entry, &numbers)
        try transaction.put(entry)
      }
      guard numbers.one(in: 2) else { return }
      try transaction.change(.classState("Game")) {
        $0.failure = ClassState.Failure(isForbidden: false, message: "no")
      }
    }
    // An import's writes behind the last edit are no edits.
    guard numbers.one(in: 2) else { return }
    let row = ImportRow(
      objectID: "s1", createdAt: now, version: nil, acl: .null, values: [.null, .null])
    _ = try store.sync(.normal) { try $0.apply([row], to: "League") }
  }

  private static func change(_ entry: inout OutboxEntry, _ chance: inout SeededGenerator) {
    let attempt = Attempt(kind: .create, sent: [:], token: .start, startedAt: now)
    switch chance.number(below: 7) {
    case 0: entry.begin(attempt)
    case 1:
      entry.begin(attempt)
      entry.lose(timedOut: true)
    case 2: entry.enter(.parked(Refusal(reason: .refused, message: "no")))
    case 3: entry.enter(.blocked(by: .notFound))
    case 4: entry.enter(.blocked(by: .confirmation("1 of 2")))
    case 5: for _ in 0..<6 { entry.failures.add(isShared: false, at: now) }
    default: entry.enter(.confirming)
    }
  }

  /// The same from all entries, one by one.
  private struct Read {
    var remaining: [String: SyncReport.Remainder] = [:]
    var next: Timestamp?

    init(_ reader: any SyncReader, at now: Timestamp) throws {
      for entry in try reader.outbox(of: nil) {
        let isRegistered = reader.schema.entity(entry.className) != nil
        let isLeftOut = try reader.state(.classState(entry.className)).failure != nil
        var rest = remaining[entry.className] ?? SyncReport.Remainder()
        switch entry.state {
        case .confirming: break
        case .parked: rest.parked += 1
        case .blocked(.confirmation): rest.held += 1
        case .sending, .inDoubt, .blocked: rest.waiting += 1
        case .ready: rest.waiting += isRegistered && !isLeftOut ? 0 : 1
        }
        if !rest.isEmpty { remaining[entry.className] = rest }
        guard isRegistered else { continue }
        let state = try reader.state(.classState(entry.className))
        let time = entry.wakeUp(
          at: now, maximumRequestDuration: SyncOptions().maximumRequestDuration,
          isClassLeftOut: state.failure != nil)
        next = [next, time].compactMap(\.self).min()
      }
    }
  }
}
