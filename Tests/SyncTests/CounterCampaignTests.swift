// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Randomness
import Synchronization
import Testing

/// Devices and another client add to the same numbers, over a network that loses requests and answers.
@Suite(.timeLimit(.minutes(10)))
struct CounterCampaignTests {
  @Test(arguments: TestServer.Kind.seeds(12, onReal: 2))
  func `every counter is exact`(on kind: TestServer.Kind, seed: UInt64) async throws {
    let world = try CounterWorld(kind, seed: seed)
    for _ in 0..<40 { try await world.step() }
    try await world.comeToRest()
    try await world.check()
  }
}

/// Two devices with counters, and the sums that they must come to.
private final class CounterWorld: Sendable {
  private static let schema = Schema {
    Entity("Counter") {
      Field("title", .text)
      Field("note", .text)
      Field("count", .integer, merge: .increment)
    }
  }

  private struct State: Sendable {
    var chance: SeededGenerator
    var sums: [String: Int64] = [:]
    /// Whether the server has carried out the last addition of a device to a record, by both names.
    var fates: [String: Bool] = [:]
    var now = Timestamp(Date())
    var syncing = "a"
    var isCalm = false
  }

  private let world: SyncWorld
  private let names = ["a", "b"]
  private let state: Mutex<State>

  init(_ kind: TestServer.Kind, seed: UInt64) throws {
    var chance = SeededGenerator(seed: seed)
    var options = TestServerOptions()
    options.allowsCustomIDs = chance.one(in: 2)
    world = try SyncWorld(kind, options)
    state = Mutex(State(chance: chance))
    try world.server.declare(
      "Counter",
      [
        "title": ["type": "String"], "note": ["type": "String"], "count": ["type": "Number"],
      ])
    for title in ["c0", "c1"] {
      try world.server.create("Counter", ["title": .string(title), "count": 10])
      state.withLock { $0.sums[title] = 10 }
    }
    world.network.setFault { [weak self] in self?.fault(of: $0) }
  }

  private func pick<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }

  private func number(below bound: Int) -> Int { state.withLock { $0.chance.number(below: bound) } }

  private func device(_ name: String) throws -> Device {
    var options = SyncOptions()
    options.batchSize = name == "a" ? 1 : 50
    let environment = SyncEnvironment(
      now: { self.state.withLock { $0.now } },
      uptime: { self.state.withLock { Double($0.now.milliseconds) / 1000 } },
      random: SyncEnvironment.live.random)
    return try world.device(
      name, schema: Self.schema, options: options, environment: environment)
  }

  /// One of the things that happen.
  func step() async throws {
    let name = pick(names)
    switch number(below: 10) {
    case 0..<4: try add(on: name)
    case 4: try insert(on: name)
    case 5: try addAsClient()
    case 6: try decide(on: name, unless: 2)
    default: try await sync(name)
    }
  }

  /// An app adds to a row, by the call, or by plain SQL.
  private func add(on name: String) throws {
    let amount = pick([1, 1, 2, -1] as [Int64])
    let store = try device(name).store
    let rows = try store.read { try $0.records(Query("Counter")) }
    guard !rows.isEmpty else { return }
    let row = pick(rows)
    try store.add(amount, toCountOf: row)
    guard case .string(let title) = row["title"] else { return }
    state.withLock { $0.sums[title, default: 0] += amount }
  }

  private func insert(on name: String) throws {
    let title = state.withLock { "c\($0.sums.count)" }
    try device(name).store.write {
      try $0.insert("Counter", ["title": .string(title), "count": 3])
    }
    state.withLock { $0.sums[title] = 3 }
  }

  /// Another client adds to a record, or edits another field of it.
  private func addAsClient() throws {
    let rows = try world.server.rows(of: "Counter").values
    guard !rows.isEmpty else { return }
    let row = pick(rows.sorted { $0["title"]?.string ?? "" < $1["title"]?.string ?? "" })
    guard let id = row["objectId"]?.string, let title = row["title"]?.string else { return }
    guard number(below: 3) > 0 else {
      return try world.server.update("Counter", id, ["note": .string("n\(number(below: 99))")])
    }
    try world.server.update("Counter", id, ["count": ["__op": "Increment", "amount": 1]])
    state.withLock { $0.sums[title, default: 0] += 1 }
  }

  private func sync(_ name: String) async throws {
    state.withLock { state in
      state.syncing = name
      state.now = state.now.adding(.seconds(state.chance.pick([1, 30, 200])))
    }
    _ = try? await device(name).sync()
  }

  /// Loses requests and answers, and notes which additions the server carries out.
  private func fault(of request: HTTPRequest) -> TestNetwork.Fault? {
    let body = String(decoding: request.body, as: UTF8.self)
    guard body.contains("__op") || body.contains("title") else { return nil }
    // The app may add while the request is on its way.
    if number(below: 6) == 0, !state.withLock({ $0.isCalm }) {
      try? add(on: state.withLock { $0.syncing })
    }
    let ids = (try? world.server.rows(of: "Counter").keys.sorted()) ?? []
    return state.withLock { state in
      let roll = state.isCalm ? 9 : state.chance.number(below: 5)
      for id in ids where body.contains(id) || request.path.contains(id) {
        if body.contains("Increment") { state.fates["\(state.syncing) \(id)"] = roll != 0 }
      }
      return roll == 0 ? .requestLost : roll == 1 ? .answerLost : nil
    }
  }

  /// The app says what became of additions that nobody can find out about.
  private func decide(on name: String, unless chance: Int = 1) throws {
    let store = try device(name).store
    for change in try store.inspect({ try $0.pendingChanges() })
    where change.state == .parked && number(below: chance) == 0 {
      let fate = state.withLock { $0.fates["\(name) \(change.objectID ?? "")"] }
      let isDecided = try store.decideIncrements(
        of: "Counter", localID: change.localID, counted: fate ?? false)
      #expect(isDecided, "\(change.reason ?? "")")
    }
  }

  /// The network is sound again, and everybody syncs until nothing is left.
  func comeToRest() async throws {
    state.withLock { $0.isCalm = true }
    for _ in 0..<8 {
      for name in names {
        try decide(on: name)
        state.withLock { state in
          state.syncing = name
          state.now = state.now.adding(.seconds(200))
        }
        try await device(name).sync()
      }
    }
  }

  /// Everybody has the sums.
  func check() async throws {
    let sums = state.withLock { $0.sums }
    let served = try world.server.rows(of: "Counter").values.map { row in
      (row["title"]?.string ?? "", Int64(row["count"]?.number ?? .nan))
    }
    #expect(Dictionary(served, uniquingKeysWith: { $0 + $1 }) == sums)
    for name in names {
      let device = try device(name)
      #expect(try device.pending().isEmpty)
      let rows = try await device.store.read { try $0.records(Query("Counter")) }
      for row in rows {
        guard case .string(let title) = row["title"] else { continue }
        #expect(row["count"] == sums[title].map(Value.integer), "\(name) \(title)")
      }
      #expect(rows.count == sums.count)
    }
  }
}
