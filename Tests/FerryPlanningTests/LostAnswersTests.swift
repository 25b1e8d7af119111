// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness
import Testing

@testable import FerryPlanning
@testable import PlannerCases

/// An app edits while answers get lost and requests commit late; in the end no edit is lost.
@Suite(.timeLimit(.minutes(1)))
struct LostAnswersTests {
  @Test func `app and server hold the same records in the end`() {
    for seed in UInt64(1)...400 {
      var world = LossyWorld(seed: seed)
      for _ in 0..<40 { world.step() }
      let rounds = world.calmDown()
      #expect(rounds < 60, "seed \(seed) does not come to rest: \(world.local.entries)")
      let here = Dictionary(
        uniqueKeysWithValues: world.local.rows.values.map {
          ($0.objectID, Fields($0.fields.values.filter { !$1.isNull }))
        })
      #expect(here == world.server, "seed \(seed)")
    }
  }
}

/// One device and a server that may answer late or not at all.
private struct LossyWorld {
  var local = FoldingWorld()
  var server: [String: Fields] = [:]
  private var running: [(request: Request, deadline: Int64)] = []
  private var generator: SeededGenerator
  private var now: Int64 = 1_000_000
  private let maximumRequestDuration = Duration.seconds(120)

  private struct Request {
    var objectID: String
    var kind: OutboxEntry.Kind
    var sent: Fields
  }

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for number in 0..<2 {
      let fields: Fields = ["f": .integer(Int64(number))]
      _ = local.synced("s\(number)", fields)
      server["s\(number)"] = fields
    }
  }

  private mutating func chance(_ one: Int) -> Bool {
    Int.random(in: 0..<one, using: &generator) == 0
  }

  mutating func step() {
    now += Int64.random(in: 0..<90_000, using: &generator)
    commitLate()
    switch Int.random(in: 0..<8, using: &generator) {
    case 0..<4: edit()
    case 4: sync(isReliable: false)
    case 5: local.entries.forEach { entry in local.change(entry.localID) { $0.recover() } }
    default: if chance(2) { sync(isReliable: false) } else { edit() }
    }
  }

  /// Syncs until nothing is left to send or to watch; returns the number of rounds.
  mutating func calmDown() -> Int {
    for round in 0..<60 {
      now += 121_000
      commitLate()
      sync(isReliable: true)
      if local.entries.isEmpty && running.isEmpty { return round }
    }
    return 60
  }

  private mutating func edit() {
    let rows = local.rows.keys.sorted()
    let value = Value.integer(Int64.random(in: 0..<4, using: &generator))
    let name = chance(2) ? "f" : "g"
    switch (Int.random(in: 0..<8, using: &generator), rows.randomElement(using: &generator)) {
    case (0, let row?): local.delete(row)
    case (1, _): _ = local.insert("m\(local.log.count)", [name: value])
    case (2, _):
      let present = Set(local.rows.values.map(\.objectID))
      let gone = server.keys.filter { !present.contains($0) }.sorted()
      if let id = gone.randomElement(using: &generator) { _ = local.insert(id, [name: value]) }
    case (_, let row?): local.update(row, [name: value == 0 ? .null : value])
    case (_, nil): break
    }
  }

  // MARK: - The server

  /// Runs a request; false if it does not apply.
  private mutating func commit(_ request: Request) -> Bool {
    let id = request.objectID
    switch request.kind {
    case .create:
      guard server[id] == nil else { return false }
      server[id] = Fields(request.sent.values.filter { !$1.isNull })
    case .update:
      guard let row = server[id] else { return false }
      server[id] = Fields(row.merging(request.sent).values.filter { !$1.isNull })
    case .delete, .deleteAfterCreate: server[id] = nil
    }
    return true
  }

  /// Lets some running requests take effect, and all those whose time is over.
  private mutating func commitLate() {
    let open = running
    running = []
    for item in open {
      if item.deadline <= now || chance(4) {
        if chance(2) { _ = commit(item.request) }
      } else {
        running.append(item)
      }
    }
  }

  // MARK: - The engine, as plainly as can be

  private mutating func sync(isReliable: Bool) {
    local.fold()
    for entry in local.entries where entry.state == .sending || entry.state == .inDoubt {
      resolve(entry.localID)
    }
    for entry in local.entries where entry.state == .ready { send(entry, isReliable) }
    for entry in local.entries { look(at: entry) }
  }

  private mutating func resolve(_ id: LocalID) {
    local.change(id) { $0.recover() }
    guard let entry = local[id] else { return }
    let current = local.rows[id]?.fields
    if let remote = server[entry.objectID] {
      local.change(id) {
        $0.resolvePresent(
          version: nil, createdAt: FoldingWorld.createdAt, remote: remote, current: current)
      }
      return
    }
    let isOver = entry.attempts.allSatisfy {
      $0.kind != .create || $0.startedAt.milliseconds + 120_000 <= now
    }
    if isOver { local.change(id) { $0.resolveAbsent() } }
    editWins(id)
  }

  private mutating func send(_ entry: OutboxEntry, _ isReliable: Bool) {
    let id = entry.localID
    // An edit during an earlier answer may have changed or ended it.
    guard let entry = local[id], entry.state == .ready else { return }
    local.send(id, at: now)
    let request = Request(
      objectID: entry.objectID, kind: entry.kind, sent: local[id]?.attempts.last?.sent ?? [:])
    switch isReliable ? 0 : Int.random(in: 0..<6, using: &generator) {
    case 0, 1:
      if commit(request) {
        answer(id)
      } else {
        local.change(id) { $0.lose(timedOut: false) }
        resolve(id)
      }
    case 2:
      _ = commit(request)
      local.change(id) { $0.lose(timedOut: true) }
    case 3: local.change(id) { $0.postpone() }
    case 4: break
    default:
      running.append((request, now + 119_000))
      local.change(id) { $0.lose(timedOut: true) }
    }
    if local[id]?.state == .sending {
      // The process ended, so the outcome is unknown: the request may run later, or may have run.
      if chance(2) { running.append((request, now + 119_000)) }
    }
  }

  private mutating func answer(_ id: LocalID) {
    if chance(3) {
      edit()
      local.fold()
    }
    let objectID = local.log.isEmpty ? nil : local[id]?.objectID
    guard
      let key = local[id]?.localID ?? local.entries.first(where: { $0.objectID == objectID })?
        .localID ?? local.entries.first(where: { $0.state == .sending })?.localID
    else { return }
    let current = local.rows[key]?.fields
    local.change(key) {
      $0.acknowledge(
        answer: [:], version: nil, createdAt: FoldingWorld.createdAt, current: current)
    }
  }

  /// A listing that starts now shows the record, or does not.
  private mutating func look(at entry: OutboxEntry) {
    let id = entry.localID
    let time = Timestamp(milliseconds: now)
    let maximumRequestDuration = maximumRequestDuration
    let current = local.rows[id]?.fields
    if let remote = server[entry.objectID] {
      local.change(id) {
        $0.confirm(
          remote: remote, createdAt: FoldingWorld.createdAt, listingStartedAt: time,
          maximumRequestDuration: maximumRequestDuration)
      }
    } else {
      local.change(id) {
        $0.confirmAbsent(
          listingStartedAt: time, maximumRequestDuration: maximumRequestDuration, current: current)
      }
      editWins(id)
    }
  }

  /// The policy for a record that was deleted on the server and edited locally: create it again.
  private mutating func editWins(_ id: LocalID) {
    guard var entry = local[id], entry.kind == .update, entry.state != .sending,
      !entry.hasUnresolvedAttempts, let row = local.rows[id]
    else { return }
    entry.kind = .create
    entry.enter(.ready)
    entry.createdAt = nil
    entry.base = [:]
    entry.changed = Set(row.fields.values.keys)
    local[id] = entry
  }
}
