// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SyncStatusTests {
  @Test(arguments: TestServer.Kind.all)
  func `a record's status follows the record through its life`(
    on kind: TestServer.Kind
  ) async throws {
    var options = TestServerOptions(allowsCustomIDs: true)
    options.cloudCode = .refusesBadGames
    let world = try SyncWorld(kind, options)
    let device = try world.device()
    let coordinator = device.coordinator
    let (good, bad, child) = try await device.store.write { db in
      let good = try db.insert("Game", ["title": "good"])
      let bad = try db.insert("Game", ["title": "bad"])
      return (good, bad, try db.insert("Game", ["previous": .pointer(bad)]))
    }
    #expect(try coordinator.syncStatus(of: good) == .unsent(.insert))
    try await device.sync()
    #expect(try coordinator.syncStatus(of: good) == .synced)
    guard case .parked(let reason) = try coordinator.syncStatus(of: bad) else {
      Issue.record("The refused record is not parked")
      return
    }
    #expect(reason.contains("no bad games"))
    guard case .blocked(let waiting) = try coordinator.syncStatus(of: child) else {
      Issue.record("The child does not wait")
      return
    }
    #expect(waiting.contains("previous"))
    try await device.store.write { try $0.update(good, ["title": "better"]) }
    #expect(try coordinator.syncStatus(of: good) == .unsent(.update))
    world.network.setFault { $0.writes(.put) ? .answerLost : nil }
    _ = try await device.sync(.only(.putUpdated))
    #expect(try coordinator.syncStatus(of: good) == .unknownOutcome)
    try await device.store.write { try $0.delete(bad) }
    #expect(try coordinator.syncStatus(of: bad) == .synced)
  }
}
