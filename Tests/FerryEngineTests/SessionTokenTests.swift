// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryParse
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// The token that an app gives to a run: late, never, with an error, renewed, or another user's.
@Suite(.timeLimit(.minutes(2))) struct SessionTokenTests {
  private struct Mishap: Error {}

  private let world: SyncWorld
  private let token: Secret

  init() throws {
    world = try SyncWorld(.double)
    token = Secret(try world.server.signUp("anna").token)
  }

  private func device(
    within limit: Duration = .seconds(60),
    renewing renew: (@Sendable (Secret) async throws -> Secret?)? = nil,
    _ token: @escaping @Sendable () async throws -> Secret?
  ) throws -> Device {
    var server = world.server.known(asMaster: false)
    server.sessionToken = token
    server.renewSession = renew
    var options = SyncOptions()
    options.sessionTimeout = limit
    return try world.device(as: server, options: options)
  }

  private func failure(of device: Device) async -> SyncError? {
    do {
      _ = try await device.coordinator.startSync().report
      return nil
    } catch {
      return error
    }
  }

  @Test func `a run waits for the token, and a plan, too`() async throws {
    let device = try device { [token] in
      try await Task.sleep(for: .milliseconds(100))
      return token
    }
    _ = try await device.coordinator.plan()
    _ = try await device.sync()
    #expect(world.network.exchanges.filter { $0.path == "/users/me" }.count == 2)
  }

  @Test func `an app that throws or never answers ends the run before a request`() async throws {
    let thrown = await failure(of: try device { throw Mishap() })
    #expect(thrown?.code == .sessionUnavailable)
    #expect(thrown?.cause is Mishap)
    let late = await failure(
      of: try device(within: .milliseconds(200)) {
        try? await Task.sleep(for: .seconds(600))
        return nil
      })
    #expect(late?.code == .sessionUnavailable)
    #expect(late?.message.contains("Nothing was sent") == true)
    #expect(world.network.requestCount == 0)
  }

  @Test func `an import of staged pages needs no token`() async throws {
    try world.server.create("Game", [["title": "staged"]])
    let first = try device { [token] in token }
    _ = try await first.sync(.only(.download))
    let locked = try device { throw Mishap() }
    _ = try await locked.sync(.only(.importing))
    #expect(try await locked.store.read { try $0.count(of: "Game") } == 1)
  }

  @Test func `a run that waits for the app can be cancelled, and does not lock the store`()
    async throws
  {
    let device = try device {
      try? await Task.sleep(for: .seconds(600))
      return nil
    }
    let run = device.coordinator.startSync()
    try await Task.sleep(for: .milliseconds(100))
    let other = try world.device(as: world.server.known(asMaster: false))
    _ = try await other.sync()
    let start = ContinuousClock.now
    run.cancel()
    await #expect(throws: SyncError.self) { try await run.report }
    #expect(ContinuousClock.now - start < .milliseconds(500))
  }

  @Test func `a session that has ended is renewed once, before any data moves`() async throws {
    let renewals = Mutex(0)
    let device = try device(renewing: { [world] _ in
      renewals.withLock { $0 += 1 }
      return Secret(try world.server.logIn("anna"))
    }) { [token] in token }
    _ = try await device.sync()
    #expect(renewals.withLock { $0 } == 0)
    try world.server.endSession(token.text)
    try await device.store.write { db in try db.insert("Game", ["title": "after"]) }
    _ = try await device.sync()
    #expect(renewals.withLock { $0 } == 1)
    #expect(try world.server.rows(of: "Game").count == 1)
  }

  @Test func `a renewal that gives nothing, the same or another user's token ends the run`()
    async throws
  {
    let bert = Secret(try world.server.signUp("bert").token)
    let first = try device { [token] in token }
    _ = try await first.sync()
    try world.server.endSession(token.text)
    for (renewed, code) in [(nil, .loginNeeded), (token, .loginNeeded), (bert, .otherUser)]
      as [(Secret?, SyncError.Code)]
    {
      let device = try device(renewing: { _ in renewed }) { [token] in token }
      #expect(await failure(of: device)?.code == code)
    }
    let throwing = try device(renewing: { _ in throw Mishap() }) { [token] in token }
    #expect(await failure(of: throwing)?.code == .sessionUnavailable)
  }
}
