// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// A user who logs out while a sync of the user's store is at work.
@Suite(.timeLimit(.minutes(5))) struct LogOutDuringSyncTests {
  private static let schema = Schema(Sports.schema.entities.map { $0.access(.creator()) })

  private func world(on kind: TestServer.Kind) async throws -> (AccountWorld, Device) {
    let world = try AccountWorld(TestServer(kind))
    let anna = try await world.accounts.signUp(username: "anna", password: Secret("secret"))
    try world.server.create(
      "Game",
      [
        ["title": "for all"],
        ["title": "anna's", "ACL": [anna.objectID: ["read": true, "write": true]]],
      ])
    var options = SyncOptions()
    options.maximumRequestDuration = .seconds(1)
    let device = try world.world.device(
      schema: Self.schema, as: world.accounts.server, options: options)
    // The first create finds out whether the server takes ids of clients.
    try await device.store.write { _ = try $0.insert("League", ["name": "North"]) }
    try await device.sync()
    return (world, device)
  }

  private func titles(_ device: Device) throws -> [String] {
    try device.store.read { db in
      try db.records(of: "Game").compactMap { row in
        if case .string(let title) = row["title"] { title } else { nil }
      }.sorted()
    }
  }

  private func isCreate(_ request: HTTPRequest) -> Bool {
    request.writes(.post) && String(decoding: request.body, as: UTF8.self).contains("hers")
  }

  private func onServer(_ title: String, _ world: AccountWorld) throws -> [TestServer.Row] {
    try world.server.rows(of: "Game").values.filter { $0["title"]?.string == title }
  }

  /// Begins a sync, delays requests of a kind, and logs the user out while the first of them waits.
  private func sync(
    _ device: Device, in world: AccountWorld,
    delaying isDelayed: @escaping @Sendable (HTTPRequest) -> Bool
  ) async throws -> Result<SyncReport, any Error> {
    let (delays, delay) = AsyncStream.makeStream(of: Void.self)
    let isLoggedOut = Mutex(false)
    world.network.setFault { request in
      guard isDelayed(request), request.path != "/logout", !isLoggedOut.withLock(\.self) else {
        return nil
      }
      delay.yield()
      return .delayed(.seconds(1))
    }
    let run = device.coordinator.startSync()
    for await _ in delays { break }
    try await world.accounts.logOut()
    isLoggedOut.withLock { $0 = true }
    defer { world.network.setFault(nil) }
    do {
      return .success(try await run.report)
    } catch {
      return .failure(error)
    }
  }

  /// The next user of the device gets neither rows nor unsent changes of the one before.
  private func bertSeesNothing(of device: Device, in world: AccountWorld) async throws {
    let before = (try titles(device), try device.pending())
    try await world.accounts.signUp(username: "bert", password: Secret("secret"))
    let error = await #expect(throws: SyncError.self) { try await device.sync() }
    #expect(error?.code == .otherUser)
    #expect(try titles(device) == before.0 && device.pending() == before.1)
    let own = try world.world.device(
      "bert", schema: Self.schema, as: world.accounts.server)
    try await own.sync()
    #expect(try titles(own) == ["for all"])
    try await world.accounts.logOut()
  }

  @Test(arguments: TestServer.Kind.all)
  func `a create that arrives after the log-out is refused, and sent after the next log-in`(
    on kind: TestServer.Kind
  ) async throws {
    let (world, device) = try await world(on: kind)
    try await device.store.write { _ = try $0.insert("Game", ["title": "hers"]) }
    let result = try await sync(device, in: world, delaying: isCreate)
    #expect(result.code == .loginNeeded)
    #expect(try onServer("hers", world).isEmpty)
    #expect(try titles(device) == ["anna's", "for all", "hers"] && device.pending().count == 1)
    #expect(try device.coordinator.state().lastFailure?.code == .loginNeeded)
    try await bertSeesNothing(of: device, in: world)
    try await annaSendsTheRest(device, world)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a create whose answer is lost over the log-out is decided after the next log-in`(
    on kind: TestServer.Kind
  ) async throws {
    let (world, device) = try await world(on: kind)
    try await device.store.write { _ = try $0.insert("Game", ["title": "hers"]) }
    // The server carries it out, and the session has ended when the engine would ask for it.
    try await sendWithoutAnswer(device, world)
    #expect(try onServer("hers", world).count == 1)
    #expect(try titles(device) == ["anna's", "for all", "hers"] && device.pending().count == 1)
    try await bertSeesNothing(of: device, in: world)
    try await annaSendsTheRest(device, world)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a listing that the log-out interrupts takes no row away`(
    on kind: TestServer.Kind
  ) async throws {
    let (world, device) = try await world(on: kind)
    try await device.store.write { _ = try $0.insert("Game", ["title": "hers"]) }
    try world.server.create("Game", ["title": "new"])
    let result = try await sync(device, in: world) { request in
      // The classes may be asked for together.
      !request.isWrite && (request.path == "/batch" || request.path.hasPrefix("/classes/"))
    }
    #expect(result.code == .loginNeeded)
    #expect(try titles(device) == ["anna's", "for all", "hers"])
    try await bertSeesNothingNew(device, world)
    try await annaSendsTheRest(device, world)
    #expect(try titles(device) == ["anna's", "for all", "hers", "new"])
  }

  private func bertSeesNothingNew(_ device: Device, _ world: AccountWorld) async throws {
    try world.server.delete(
      "Game", world.server.rows(of: "Game").filter { $0.value["title"]?.string == "new" }.keys)
    try await bertSeesNothing(of: device, in: world)
    try world.server.create("Game", ["title": "new"])
  }

  private func sendWithoutAnswer(_ device: Device, _ world: AccountWorld) async throws {
    let isSent = Mutex(false)
    world.network.setFault { request in
      if isSent.withLock(\.self) { return request.path == "/logout" ? nil : .delayed(.seconds(1)) }
      guard isCreate(request) else { return nil }
      isSent.withLock { $0 = true }
      return .answerLost
    }
    world.network.forget()
    let run = device.coordinator.startSync()
    while !world.network.exchanges.contains(where: { isCreate($0.request) }) {
      try await Task.sleep(for: .milliseconds(2))
    }
    try await world.accounts.logOut()
    world.network.setFault(nil)
    do {
      #expect(try await run.report.outcome != .complete)
    } catch {
      #expect(error.code == .loginNeeded)
    }
  }

  private func annaSendsTheRest(_ device: Device, _ world: AccountWorld) async throws {
    let anna = try await world.accounts.logIn(username: "anna", password: Secret("secret"))
    // A create in doubt waits until no earlier request can be at work any more.
    for _ in 0..<20 where try !device.pending().isEmpty {
      try await device.sync()
      try await Task.sleep(for: .milliseconds(200))
    }
    #expect(try device.pending().isEmpty)
    let rows = try onServer("hers", world)
    #expect(rows.count == 1)
    #expect(
      rows.first?["ACL"]?[anna.objectID]?["read"]?.bool == true && rows.first?["ACL"]?["*"] == nil)
  }

  @Test func `a coordinator that runs by itself pauses, and goes on after the next log-in`()
    async throws
  {
    let (world, device) = try await world(on: .double)
    let running = Running(device)
    _ = try await running.result(0)
    world.network.setFault { isCreate($0) ? .delayed(.seconds(1)) : nil }
    try await device.store.write { _ = try $0.insert("Game", ["title": "hers"]) }
    while try device.pending().first?.attempts.isEmpty != false {
      try await Task.sleep(for: .milliseconds(2))
    }
    try await world.accounts.logOut()
    world.network.setFault(nil)
    for try await state in device.coordinator.observeState() {
      guard case .paused(let failure) = state.activity else { continue }
      #expect(failure.code == .loginNeeded && state.unsent == 1)
      break
    }
    try await world.accounts.logIn(username: "anna", password: Secret("secret"))
    device.coordinator.wakeUp()
    for try await state in device.coordinator.observeState() where state.unsent == 0 { break }
    await running.end()
    #expect(try onServer("hers", world).count == 1)
  }
}

extension Result<SyncReport, any Error> {
  fileprivate var code: SyncError.Code? {
    guard case .failure(let error) = self else { return nil }
    return (error as? SyncError)?.code
  }
}
