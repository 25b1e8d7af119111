// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

extension RealServerTests {
  /// Two users, rows that only one of them may see, and a session that ends.
  @Test(arguments: [true, false]) func usersSeeTheirOwn(allowsCustomIDs: Bool) async throws {
    try await RealWorld.with(RealWorld.Variant(allowsCustomIDs: allowsCustomIDs)) { world in
      let anna = try await User(signingUp: "anna", at: world)
      let bert = try await User(signingUp: "bert", at: world)
      _ = try await world.access.create(
        "League",
        [
          ["name": "all"], ["name": "anna's", "ACL": anna.own],
          ["name": "bert's", "ACL": bert.own],
          ["name": "anna may read", "ACL": [anna.objectID: ["read": true]]],
        ])
      let device = try world.device(server: anna.server)
      _ = try await device.sync()
      #expect(try device.leagues() == ["all", "anna may read", "anna's"])

      try await aDeniedEditIsParked(device)
      try await anEndedSessionLosesNothing(device, anna, world)
      try await anotherUserIsRefused(device, bert, world)

      let other = try world.device("b", server: bert.server)
      _ = try await other.sync()
      #expect(try other.leagues() == ["all", "bert's", "made by anna"])
    }
  }

  private func aDeniedEditIsParked(_ device: Device) async throws {
    try device.edit("League", "anna may read", ["level": 3])
    let report = try await device.sync()
    #expect(report.classes["League"]?.parked == 1)
    let entry = try #require(try device.pending().first)
    guard case .parked(let refusal) = entry.state else {
      Issue.record("\(entry.state)")
      return
    }
    #expect(refusal.reason == .noPermission)
    #expect(try device.record("League", "anna may read")["level"] == 3)
  }

  private func anEndedSessionLosesNothing(
    _ device: Device, _ anna: User, _ world: RealWorld
  ) async throws {
    try device.store.write { db in
      let league = try db.insert("League", ["name": "made by anna"])
      try db.insert("Team", ["name": "made by anna", "league": .pointer(league)])
    }
    try device.edit("League", "anna's", ["level": 9])
    try await anna.logOut(at: world)
    let before = try device.pending()
    await #expect {
      try await device.sync()
    } throws: { error in
      (error as? SyncError)?.code == .loginNeeded
    }
    #expect(try device.pending() == before)
    #expect(try device.leagues() == ["all", "anna may read", "anna's", "made by anna"])

    try await anna.logIn(at: world)
    let report = try await device.sync()
    #expect(report.classes["League"]?.created == 1)
    #expect(report.classes["League"]?.put == 1)
    #expect(report.classes["Team"]?.created == 1)
    let rows = try await world.access.rows(of: "League").values
    #expect(rows.first { $0["name"]?.string == "anna's" }?["level"]?.number == 9)
    #expect(rows.filter { $0["name"]?.string == "made by anna" }.count == 1)
  }

  private func anotherUserIsRefused(
    _ device: Device, _ bert: User, _ world: RealWorld
  ) async throws {
    let other = Device(store: device.store, staging: device.staging, server: bert.server)
    await #expect {
      try await other.sync()
    } throws: { error in
      (error as? SyncError)?.code == .otherUser
    }
  }
}

extension Device {
  fileprivate func leagues() throws -> [String] {
    try store.read { db in
      try db.records(of: "League").compactMap { row in
        if case .string(let name) = row["name"] { name } else { nil }
      }.sorted()
    }
  }
}

/// A user of the server, whose session may end and begin again.
private final class User: Sendable {
  let objectID: String
  private let name: String
  private let url: URL
  private let token: Mutex<String>

  init(signingUp name: String, at world: RealWorld) async throws {
    self.name = name
    url = world.url
    let answer = try await world.access.send(
      .post, "/users", ["username": .string(name), "password": "secret"], headers: Self.nobody)
    objectID = answer["objectId"]?.string ?? ""
    token = Mutex(answer["sessionToken"]?.string ?? "")
  }

  /// The server as this user's app sees it: without the master key.
  var server: ParseServer {
    ParseServer(
      url: url, applicationID: "app1", sessionToken: { [self] in Secret(token.withLock { $0 }) })
  }

  /// The access control list of what nobody else may see.
  var own: LoopbackValue { [objectID: ["read": true, "write": true]] }

  func logOut(at world: RealWorld) async throws {
    var headers = Self.nobody
    headers["X-Parse-Session-Token"] = token.withLock { $0 }
    _ = try await world.access.send(.post, "/logout", [:], headers: headers)
  }

  func logIn(at world: RealWorld) async throws {
    let answer = try await world.access.send(
      .post, "/login", ["username": .string(name), "password": "secret"], headers: Self.nobody)
    token.withLock { $0 = answer["sessionToken"]?.string ?? "" }
  }

  private static let nobody: HTTPHeaders = ["X-Parse-Application-Id": "app1"]
}
