// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// A coordinator that runs by itself, on a network that goes each second and comes again a second later.
@Suite(.timeLimit(.minutes(5))) struct FlickeringNetworkTests {
  /// A way to a server that closes and opens by itself, and signals both to the device.
  private final class FlickeringNetwork: Sendable {
    let relay: Relay
    private let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])
    private let flickering = Mutex<Task<Void, any Error>?>(nil)

    init(to server: TestServer) throws {
      // So that many answers are under way when it closes.
      relay = try Relay(to: server.url, delay: .milliseconds(100))
      let task = Task { [weak self] in
        while let self {
          try await Task.sleep(for: .seconds(1))
          relay.close()
          signal()
          try await Task.sleep(for: .seconds(1))
          try relay.open()
          signal()
        }
      }
      flickering.withLock { $0 = task }
    }

    private func signal() {
      for listener in listeners.withLock(\.self) { listener.yield() }
    }

    var changes: AsyncStream<Void> {
      let (stream, listener) = AsyncStream.makeStream(of: Void.self)
      listeners.withLock { $0.append(listener) }
      return stream
    }

    /// Stays open from now on.
    func settle() async throws {
      flickering.withLock { $0?.cancel() }
      _ = await flickering.withLock(\.self)?.result
      relay.close()
      try relay.open()
      signal()
    }
  }

  private func device(
    of world: SyncWorld, by network: FlickeringNetwork
  ) throws -> Device {
    var environment = SyncEnvironment.live
    environment.networkChanges = { network.changes }
    var options = SyncOptions()
    // A lost create is looked for so long; the server of the test answers within milliseconds.
    options.maximumRequestDuration = .seconds(2)
    var identity = world.server.known()
    identity.url = network.relay.url
    return try world.device(as: identity, options: options, environment: environment)
  }

  private var schedule: SyncSchedule {
    var schedule = SyncSchedule()
    (schedule.shortestPause, schedule.longestPause) = (.seconds(1), .seconds(4))
    return schedule
  }

  @Test(arguments: TestServer.Kind.all, [true, false])
  func `edits arrive once, and the state says how it stands`(
    on kind: TestServer.Kind, allowsCustomIDs: Bool
  ) async throws {
    let world = try SyncWorld(kind, TestServerOptions(allowsCustomIDs: allowsCustomIDs))
    try world.server.create("Game", [["title": "first"]])
    let network = try FlickeringNetwork(to: world.server)
    let device = try device(of: world, by: network)
    let states = Mutex<[SyncState]>([])
    let watching = Task {
      for try await state in device.coordinator.observeState() {
        states.withLock { $0.append(state) }
      }
    }
    let running = Running(device, schedule)
    let start = ContinuousClock.now
    var titles: Set<String> = ["first"]
    var last: RecordReference?
    while ContinuousClock.now - start < .seconds(12) {
      let title = "g\(titles.count)"
      last = try await device.store.write { [last] db in
        if let last { try db.update(last, ["score": 1]) }
        return try db.insert("Game", ["title": .string(title), "score": 0])
      }
      titles.insert(title)
      try await Task.sleep(for: .milliseconds(50))
    }
    let requests = world.network.requestCount
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    try await network.settle()
    for try await state in device.coordinator.observeState() {
      if state.unsent == 0, case .idle(.some) = state.activity, state.lastFailure == nil { break }
    }
    #expect(await running.end() < .milliseconds(500))
    watching.cancel()
    _ = await watching.result

    let rows = try world.server.rows(of: "Game").values
    #expect(rows.compactMap { $0["title"]?.string }.sorted() == titles.sorted())
    #expect(rows.filter { $0["score"]?.number == 0 }.count == 1)
    #expect(try await device.store.read { try $0.count(of: "Game") } == titles.count)
    #expect(try await device.store.read { try $0.conflicts(limit: 1) }.isEmpty)
    // Some syncs a minute, each of which tries a request a few times.
    #expect(Double(requests) / seconds < 25)
    for state in states.withLock(\.self) { check(state, unsentAtMost: titles.count) }
  }

  private func check(_ state: SyncState, unsentAtMost limit: Int) {
    #expect(state.unsent <= limit && state.parked == 0 && state.conflicts == 0)
    let failures: [SyncState.Failure?]
    switch state.activity {
    case .idle, .syncing: failures = [state.lastFailure]
    case .waiting(_, let failure): failures = [state.lastFailure, failure]
    case .paused(let failure):
      failures = []
      Issue.record("It waits for a person: \(failure)")
    }
    for failure in failures.compactMap(\.self) {
      #expect([.unreachable, .tryAgain].contains(failure.code), "\(failure)")
    }
  }

  @Test func `it ends within half a second at any moment`() async throws {
    let world = try SyncWorld()
    try world.server.create("Game", (0..<3).map { ["title": .string("g\($0)")] })
    let network = try FlickeringNetwork(to: world.server)
    let device = try device(of: world, by: network)
    for number in 0..<12 {
      let running = Running(device, schedule)
      try await device.store.write { _ = try $0.insert("Game", ["score": .integer(Int64(number))]) }
      try await Task.sleep(for: .milliseconds(350 + 70 * number))
      #expect(await running.end() < .milliseconds(500))
    }
    try await network.settle()
    let running = Running(device, schedule)
    for try await state in device.coordinator.observeState() where state.unsent == 0 { break }
    await running.end()
    #expect(try world.server.count(of: "Game") == 15)
  }
}
