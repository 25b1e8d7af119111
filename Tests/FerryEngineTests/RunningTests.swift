// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A coordinator that runs by itself.
@Suite(.timeLimit(.minutes(5))) struct RunningTests {
  private func world(on kind: TestServer.Kind = .double) throws -> SyncWorld {
    let world = try SyncWorld(kind)
    try world.server.create("Game", (0..<3).map { ["title": .string("g\($0)")] })
    return world
  }

  @Test(arguments: TestServer.Kind.all)
  func `it syncs at the start, and sends an edit at once`(on kind: TestServer.Kind) async throws {
    let world = try world(on: kind)
    let device = try world.device()
    let running = Running(device)
    #expect(try await running.result(0).classes["Game"]?.imported == 3)
    try await device.store.write { _ = try $0.insert("Game", ["title": "mine"]) }
    let start = ContinuousClock.now
    #expect(try await running.result(1).classes["Game"]?.created == 1)
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(await running.end() < .milliseconds(500))
    try await device.store.write { _ = try $0.insert("Game", ["title": "late"]) }
    #expect(running.count == 2)
  }

  @Test func `an edit of another store on the file is sent, and its program learns of it`()
    async throws
  {
    let world = try world()
    let (device, other) = (try world.device(), try world.device())
    let running = Running(device)
    _ = try await running.result(0)
    try await other.store.write { _ = try $0.insert("Game", ["title": "from the extension"]) }
    for try await state in other.coordinator.observeState() {
      if state.unsent == 0, state.lastSuccess != nil,
        try await other.store.read({ try $0.count(of: "Game") }) == 4
      {
        break
      }
    }
    await running.end()
  }

  @Test func `edits in a row are sent together`() async throws {
    let world = try world()
    let device = try world.device()
    let running = Running(device)
    _ = try await running.result(0)
    for number in 0..<200 {
      try await device.store.write { _ = try $0.insert("Game", ["score": .integer(Int64(number))]) }
    }
    var created = 0
    var number = 0
    while created < 200 {
      number += 1
      created += try await running.result(number).classes["Game"]?.created ?? 0
    }
    #expect(number <= 4)
    await running.end()
  }

  @Test func `it syncs at intervals, and asks for a class by its own`() async throws {
    let world = try world()
    let device = try world.device()
    var schedule = SyncSchedule()
    schedule.interval = .seconds(1)
    schedule.intervals["Game"] = .seconds(3600)
    let running = Running(device, schedule)
    #expect(try await running.result(0).classes["Game"]?.imported == 3)
    try world.server.create("Game", [["title": "later"]])
    try world.server.create("League", [["name": "North"]])
    let second = try await running.result(1)
    #expect(second.classes["League"]?.imported == 1 && second.classes["Game"]?.imported == 0)
    await running.end()
    // The interval goes on over a restart, and a call is stronger.
    let again = Running(device, schedule)
    #expect(try await again.result(0).classes["Game"]?.imported == 0)
    device.coordinator.wakeUp(classes: ["Game"])
    #expect(try await again.result(1).classes["Game"]?.imported == 1)
    await again.end()
  }

  @Test func `a thousand calls a second give a sync a second`() async throws {
    let world = try world()
    let device = try world.device()
    let running = Running(device)
    _ = try await running.result(0)
    let calls = Task {
      while !Task.isCancelled {
        device.coordinator.wakeUp()
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    try await Task.sleep(for: .seconds(3))
    calls.cancel()
    #expect((3...5).contains(running.count))
    await running.end()
  }

  @Test func `it waits for a server that fails, and says so`() async throws {
    let world = try world()
    let device = try world.device()
    world.network.setFault { _ in .answered(.init(status: 401, body: Data(#"{"error":"x"}"#.utf8)))
    }
    var schedule = SyncSchedule()
    schedule.shortestPause = .seconds(1)
    let running = Running(device, schedule)
    var failure: SyncState.Failure?
    for try await state in device.coordinator.observeState() {
      if case .idle = state.activity { #expect(state.lastFailure == nil) }
      if case .waiting(_, let because) = state.activity {
        failure = because
        break
      }
    }
    #expect(failure?.code == .unauthorized || failure?.code == .notParseServer)
    #expect(try device.coordinator.state().lastFailure?.message == failure?.message)
    world.network.setFault(nil)
    for try await state in device.coordinator.observeState() {
      guard case .idle(.some) = state.activity, state.lastSuccess != nil else { continue }
      #expect(state.lastFailure == nil)
      break
    }
    await running.end()
    #expect(try device.coordinator.state().activity == .idle(nextSync: nil))
    // Another process, or the next start, knows it too.
    #expect(try world.device().coordinator.state().lastSuccess != nil)
  }

  @Test func `a server that takes no connection shows at once`() async throws {
    let world = try world()
    let relay = try Relay(to: world.server.url)
    var identity = world.server.known()
    identity.url = relay.url
    let device = try world.device(as: identity)
    relay.close()
    let running = Running(device)
    let start = ContinuousClock.now
    for try await state in device.coordinator.observeState() {
      if case .idle = state.activity { #expect(state.lastFailure == nil) }
      guard case .waiting(_, let failure) = state.activity else { continue }
      #expect(failure.code == .unreachable)
      break
    }
    #expect(ContinuousClock.now - start < .seconds(1))
    await running.end()
  }

  @Test func `a change of the network shortens a pause`() async throws {
    let world = try world()
    let (networks, signal) = AsyncStream.makeStream(of: Void.self)
    var environment = SyncEnvironment.live
    environment.networkChanges = { networks }
    let device = try world.device(environment: environment)
    world.network.setFault { _ in .answered(.init(status: 401, body: Data(#"{"error":"x"}"#.utf8)))
    }
    var schedule = SyncSchedule()
    schedule.shortestPause = .seconds(600)
    let running = Running(device, schedule)
    _ = try? await running.result(0)
    world.network.setFault(nil)
    signal.yield()
    // Half a minute after a failure at the latest.
    for try await state in device.coordinator.observeState() {
      guard case .waiting(let time, _) = state.activity else { continue }
      if Date.now.distance(to: time.date) < 31 { break }
    }
    await running.end()
  }

  @Test func `it ends while a sync waits for the server`() async throws {
    let world = try world()
    let device = try world.device()
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let running = Running(device)
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(await running.end() < .milliseconds(500))
  }

  @Test func `a sync in progress shows its class`() async throws {
    let world = try world()
    let device = try world.device()
    world.network.setFault { _ in .delayed(.milliseconds(200)) }
    #expect(try device.coordinator.state().activity == .idle(nextSync: nil))
    let run = device.coordinator.startSync()
    var classes: Set<String> = []
    while run.result == nil {
      if case .syncing(let progress?) = try device.coordinator.state().activity {
        classes.insert(progress.className)
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    #expect(classes.contains("Game"))
  }

  @Test func `a sync that leaves a class out counts as failed, and a later edit of it is sent`()
    async throws
  {
    let world = try world()
    let device = try world.device()
    try await device.sync()
    world.network.setFault { request in
      let body = Data(#"{"code":119,"error":"Permission denied."}"#.utf8)
      guard !request.isWrite, !request.path.hasSuffix("/serverInfo") else { return nil }
      return .answered(HTTPResponse(status: 400, body: body))
    }
    try await device.sync()
    #expect(try device.coordinator.state().lastFailure?.code.rawValue == "class-failed")
    world.network.setFault(nil)
    try await device.sync()
    #expect(try device.coordinator.state().lastFailure == nil)
  }

  @Test func `a run that is cancelled while it waits leaves the state of the one before`()
    async throws
  {
    let world = try world()
    let device = try world.device()
    world.network.setFault { _ in .delayed(.seconds(30)) }
    let first = device.coordinator.startSync()
    while world.network.requestCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let waiting = device.coordinator.startSync()
    waiting.cancel()
    _ = try? await waiting.report
    #expect(try device.coordinator.state().activity == .syncing(nil))
    first.cancel()
    _ = try? await first.report
    #expect(try device.coordinator.state().activity == .idle(nextSync: nil))
  }

  @Test func `two coordinators of two servers run side by side`() async throws {
    let worlds = [try world(), try world()]
    let devices = try worlds.map { try $0.device() }
    let running = devices.map { Running($0) }
    for number in 0..<2 {
      #expect(try await running[number].result(0).classes["Game"]?.imported == 3)
      try await devices[number].store.write {
        _ = try $0.insert("Game", ["score": .integer(Int64(number))])
      }
      #expect(try await running[number].result(1).classes["Game"]?.created == 1)
    }
    for one in running { await one.end() }
  }
}
