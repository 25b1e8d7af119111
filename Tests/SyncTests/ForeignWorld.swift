// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryScenarios
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

/// A server that devices share with an app that uses another client.
struct ForeignWorld {
  /// The kind of server.
  enum Kind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case double = "on the double"
    case real = "on a real server"

    var testDescription: String { rawValue }
  }

  static let schema = Schema {
    Entity("Player") {
      Field("name", .text)
      Field("partner", .pointer(to: "Player"))
    }
    Entity("Game") {
      Field("title", .text)
      Field("score", .integer)
      Field("ratio", .number)
      Field("isFinal", .boolean)
      Field("playedAt", .date)
      Field("home", .pointer(to: "Player"))
      Field("place", .geoPoint)
      Field("area", .polygon)
      Field("tags", .array)
      Field("details", .object)
      Field("sheet", .bytes)
      Field("photo", .file)
      Field("squad", .relation(to: "Player"))
    }
  }

  let url: URL
  private let folder: TemporaryDirectory
  /// The double stops with its last reference.
  private let double: LoopbackServer?

  /// Runs a server with the classes declared.
  static func with(_ kind: Kind, _ body: (ForeignWorld) async throws -> Void) async throws {
    switch kind {
    case .real:
      try await RealServer.running { server in
        try await ForeignWorld(url: server.url, double: nil).run(body)
      }
    case .double:
      var configuration = LoopbackConfiguration()
      configuration.allowCustomObjectId = true
      let server = try LoopbackServer(configuration)
      let url = try #require(URL(string: server.url))
      try await ForeignWorld(url: url, double: server).run(body)
      #expect(server.violations == [])
    }
  }

  private init(url: URL, double: LoopbackServer?) throws {
    self.url = url
    self.double = double
    folder = try TemporaryDirectory()
  }

  private func run(_ body: (ForeignWorld) async throws -> Void) async throws {
    let access = RealServerAccess(url)
    for entity in Self.schema.entities {
      try await access.createClass(entity.name, entity.declarations)
    }
    try await body(self)
  }

  /// A device, by default with the master key.
  func device(_ name: String = "a", token: String? = nil) throws -> Device {
    let place = folder.url.appending(path: name)
    let server =
      if let token {
        ParseServer(url: url, applicationID: "app1", sessionToken: { Secret(token) })
      } else {
        ParseServer(url: url, applicationID: "app1", key: .master("mk"))
      }
    return Device(
      store: try SQLiteStore(at: place.appending(path: "store.sqlite"), schema: Self.schema),
      staging: place.appending(path: "staging"), server: server)
  }

  /// Another app on the server, without a logged-in user.
  func app() throws -> ForeignClient { try ForeignClient(url) }

  /// Syncs until nothing is left to do, and compares the device's rows with the app's.
  func expectAgreement(
    _ device: Device, _ app: ForeignClient, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for _ in 0..<2 {
      let report = try await device.sync()
      #expect(
        report.outcome == .complete, "\(device.leftovers(report))", sourceLocation: sourceLocation)
    }
    try await expectSameRows(device, app, sourceLocation: sourceLocation)
  }

  /// Compares the device's rows with the app's, value by value.
  func expectSameRows(
    _ device: Device, _ app: ForeignClient, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for entity in Self.schema.entities {
      let there = try await app.rows(of: entity.name).mapValues { $0.mapValues(Self.withoutURLs) }
      let here = try await device.store.read { try $0.records(of: entity.name) }
      let differences = Comparison(entity: entity).differences(here: here, there: there)
      #expect(differences == [], sourceLocation: sourceLocation)
    }
  }

  /// The server computes the URL of a file anew for each answer.
  private static func withoutURLs(_ value: LoopbackValue) -> LoopbackValue {
    switch value {
    case .array(let elements): .array(elements.map(withoutURLs))
    case .object(var members):
      {
        if members["__type"] == "File" { members["url"] = nil }
        return .object(members.mapValues(withoutURLs))
      }()
    default: value
    }
  }
}
