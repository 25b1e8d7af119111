// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import FerryPlanning
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// Live queries wake a coordinator that runs by itself.
@Suite(.timeLimit(.minutes(5))) struct LiveQueriesTests {
  @Test(arguments: TestServer.Kind.all)
  func `a change of another client arrives without an interval`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let id = try world.server.create("Game", ["title": "first"])
    let listener = try await Listener(world.device())
    #expect(listener.live.state == .listening(["League", "Game"], refused: [:]))
    try world.server.send(.put, "/classes/Game/\(id)", ["title": "second"])
    #expect(await listener.shows("second", of: id))
    try world.server.send(.delete, "/classes/Game/\(id)")
    #expect(await eventually { listener.title(of: id) == nil })
    #expect(await listener.end() < .milliseconds(500))
    #expect(listener.live.state == .ended)
  }

  @Test(arguments: TestServer.Kind.all)
  func `an app's own create wakes no sync, and its own update one that reads it back`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let listener = try await Listener(world.device())
    let count = listener.running.count
    try await listener.device.store.write { _ = try $0.insert("Game", ["title": "mine"]) }
    #expect(try await listener.running.result(count).classes["Game"]?.created == 1)
    try await Task.sleep(for: .seconds(2.5))
    #expect(listener.running.count == count + 1)
    try await listener.device.store.write { db in
      for row in try db.records(of: "Game") {
        try db.update("Game", row.localID, ["title": "mine, edited"])
      }
    }
    #expect(try await listener.running.result(count + 1).classes["Game"]?.put == 1)
    try await Task.sleep(for: .seconds(2.5))
    // A sync does not take its own stamp for the version, because another client may have written in between.
    #expect(listener.running.count == count + 3)
    await listener.end()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a class that the server does not let find is left out with the reason`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    try world.server.send(
      .post, "/schemas/League",
      [
        "className": "League", "fields": ["name": ["type": "String"], "level": ["type": "Number"]],
        "classLevelPermissions": ["find": ["requiresAuthentication": true], "get": ["*": true]],
      ])
    try world.server.create("Game", ["title": "first"])
    let listener = try await Listener(
      world.device(as: world.server.known(asMaster: false)))
    #expect(
      listener.live.state
        == .listening(["Game"], refused: ["League": "Permission denied (code 101)."]))
    await listener.end()
  }

  @Test func `after the connection is lost it opens the next one, and nothing is missed`()
    async throws
  {
    let server = try LoopbackServer(TestServerOptions().forDouble)
    let world = try SyncWorld(TestServer(double: server))
    let id = try world.server.create("Game", ["title": "first"])
    let listener = try await Listener(world.device())
    for round in 0..<3 {
      server.cutLiveClients()
      try world.server.send(.put, "/classes/Game/\(id)", ["title": .string("round \(round)")])
      #expect(await listener.shows("round \(round)", of: id))
    }
    await listener.end()
    #expect(await eventually { server.liveClientCount == 0 })
  }

  @Test func `without live queries on the server it waits and says why`() async throws {
    var options = TestServerOptions()
    options.publishedClasses = []
    let world = try SyncWorld(.double, options)
    let live = LiveQueries(of: try world.device().coordinator)
    let listening = Task { await live.run() }
    for await case .waiting(_, let reason) in live.states {
      #expect(reason.contains("no websocket"))
      break
    }
    listening.cancel()
    await listening.value
  }

  @Test func `an app that never gives its session token holds up nothing but live queries`()
    async throws
  {
    let world = try SyncWorld(.double)
    var server = world.server.known(asMaster: false)
    server.sessionToken = {
      try await Task.sleep(for: .seconds(3_600))
      return nil
    }
    var options = SyncOptions()
    options.sessionTimeout = .milliseconds(200)
    let live = LiveQueries(of: try world.device(as: server, options: options).coordinator)
    let listening = Task { await live.run() }
    for await case .waiting(_, let reason) in live.states {
      #expect(reason.contains("no token of a session"))
      break
    }
    let start = ContinuousClock.now
    listening.cancel()
    await listening.value
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }
}

/// A device that runs and listens.
final class Listener: Sendable {
  let device: Device
  let live: LiveQueries
  let running: Running
  private let listening: Task<Void, Never>

  /// Waits until the device listens and has synced since.
  init(_ device: Device) async throws {
    var schedule = SyncSchedule()
    schedule.interval = .seconds(3_600)
    self.device = device
    let live = LiveQueries(of: device.coordinator)
    self.live = live
    listening = Task { await live.run() }
    running = Running(device, schedule)
    for await case .listening in live.states { break }
    _ = try await running.result(1)
  }

  func title(of id: String) -> String? {
    guard let record = try? device.store.read({ try $0.record(of: "Game", objectID: id) }) else {
      return nil
    }
    guard case .string(let title) = record["title"] else { return nil }
    return title
  }

  func shows(_ title: String, of id: String) async -> Bool {
    await eventually { self.title(of: id) == title }
  }

  @discardableResult func end() async -> Duration {
    let start = ContinuousClock.now
    listening.cancel()
    await listening.value
    return await running.end() + (ContinuousClock.now - start)
  }
}
