// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// One record as the server shows it now.
@Suite(.timeLimit(.minutes(5))) struct RemoteRecordTests {
  @Test(arguments: TestServer.Kind.all)
  func `one record is asked for, and nothing changes`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(as: world.server.known(asMaster: false))
    let ids = try world.server.create("Game", [["title": "a"], ["title": "b", "score": 1]])
    _ = try await device.sync()
    func ask(_ id: String, of className: String = "Game") async throws -> RemoteRecord {
      try await device.coordinator.remoteRecord(of: className, objectID: id)
    }
    guard case .shown(let fields, let version) = try await ask(ids[1]) else {
      Issue.record("It is not shown.")
      return
    }
    func row() async throws -> Record? {
      try await device.store.read { try $0.record(of: "Game", objectID: ids[1]) }
    }
    let synced = try #require(try await row())
    #expect(fields == synced.fields && version == synced.version)
    try world.server.update("Game", ids[1], ["title": "changed"])
    guard case .shown(let later, let newer) = try await ask(ids[1]) else {
      Issue.record("It is not shown.")
      return
    }
    #expect(later["title"] == "changed" && newer != version)
    #expect(try await row() == synced)
    #expect(try await ask("nobody") == .notShown)
    try world.server.update("Game", ids[0], ["ACL": [:]])
    #expect(try await ask(ids[0]) == .notShown)
    let error = await #expect(throws: SyncError.self) { try await ask("x", of: "Nothing") }
    #expect(error?.code == .configuration)
    for find: LoopbackValue in [[:], ["requiresAuthentication": true]] {
      try world.server.setPermissions(of: "Game", ["find": find, "get": [:], "count": [:]])
      guard case .refused(let reason) = try await ask(ids[1]) else {
        Issue.record("It is not refused.")
        continue
      }
      #expect(reason.hasPrefix("The server"))
    }
  }

  @Test func `a record that does not fit the schema says why`() async throws {
    let world = try SyncWorld()
    let device = try world.device()
    let ids = try world.server.create("Game", [["score": "many"]])
    guard
      case .unreadable(let reason) = try await device.coordinator.remoteRecord(
        of: "Game", objectID: ids[0])
    else {
      Issue.record("It can be read.")
      return
    }
    #expect(reason.contains("score"))
  }

  @Test func `a server that does not answer is asked once`() async throws {
    let world = try SyncWorld()
    let device = try world.device()
    _ = try await device.sync()
    let before = world.network.exchanges.count
    world.network.setFault { _ in .requestLost }
    let error = await #expect(throws: SyncError.self) {
      try await device.coordinator.remoteRecord(of: "Game", objectID: "a")
    }
    #expect(error?.code == .tryAgain)
    #expect(world.network.exchanges.count == before + 1)
  }
}
