// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// Files of the server that the app replaces, in fields whose replaced files leave.
@Suite(.timeLimit(.minutes(3))) struct ReplacedFilesTests {
  private static let schema = Schema {
    Entity("Photo") {
      Field("title", .text)
      Field("image", .file, replacedFiles: .delete)
    }
    Entity("Album") { Field("cover", .file) }
  }

  /// A device whose clock the test moves.
  private final class Clock: Sendable {
    private let days = Mutex(0)
    func pass(_ count: Int) { days.withLock { $0 += count } }
    var environment: SyncEnvironment {
      SyncEnvironment(
        now: { Timestamp.now.adding(.seconds(86_400 * self.days.withLock { $0 })) },
        uptime: SyncEnvironment.live.uptime, random: SyncEnvironment.live.random)
    }
  }

  private static func exists(_ file: File, on world: SyncWorld) throws -> Bool {
    try world.server.answer(TestServer.Call(.head, "/files/app1/\(file.name)")).status == 200
  }

  @Test(arguments: TestServer.Kind.all, ["replace", "clear", "delete"])
  func `a replaced file leaves the server a week after the edit`(
    on kind: TestServer.Kind, edit: String
  ) async throws {
    let world = try SyncWorld(kind)
    let clock = Clock()
    let device = try world.device(schema: Self.schema, environment: clock.environment)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    try await device.store.write { db in
      switch edit {
      case "replace": try db.update(photo, ["image": .file(second)])
      case "clear": try db.update(photo, ["image": .null])
      default: try db.delete(photo)
      }
    }
    try await device.sync()
    clock.pass(6)
    try await device.sync()
    #expect(try Self.exists(first, on: world))
    let known = try await device.store.inspect { try $0.lostUploads() }
    #expect(known.map(\.serverName) == [first.name] && known.map(\.reason) == [.replaced])
    clock.pass(2)
    try await device.sync()
    #expect(try !Self.exists(first, on: world))
    if edit == "replace" {
      #expect(try Self.exists(#require(try await device.file(of: photo)), on: world))
    }
    #expect(try await device.store.inspect { try $0.lostUploads() }.isEmpty)
  }

  @Test(arguments: [true, false])
  func `a replaced file leaves a server that has moved, edited before or after`(
    isEditedBefore: Bool
  ) async throws {
    let original = try LoopbackServer()
    let world = try SyncWorld(TestServer(double: original))
    let clock = Clock()
    let device = try world.device(schema: Self.schema, environment: clock.environment)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    if isEditedBefore {
      try await device.store.write { try $0.update(photo, ["image": .null]) }
      try await device.sync()
    }
    let place = try SyncWorld(TestServer(double: LoopbackServer(backend: original.backend)))
    let moved = try world.device(
      schema: Self.schema, as: place.server.known(), environment: clock.environment)
    _ = try await moved.coordinator.startSync(adopting: [.movedServer]).report
    if !isEditedBefore {
      try await moved.store.write { try $0.update(photo, ["image": .null]) }
      try await moved.sync()
    }
    #expect(try Self.exists(first, on: place))
    clock.pass(8)
    try await moved.sync()
    #expect(try !Self.exists(first, on: place))
    #expect(try await moved.store.inspect { try $0.lostUploads() }.isEmpty)
  }

  @Test func `an equal file that is given again counts as no replaced one`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Self.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    let again = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { try $0.update(photo, ["image": .file(again)]) }
    try await device.sync()
    #expect(try await device.file(of: photo) == first)
    #expect(try await device.store.inspect { try $0.lostUploads() }.isEmpty)
  }

  @Test(arguments: ["row", "record", "conflict", "undo", "unsent", "other's", "kept"])
  func `a file stays that something else names, or that another device sent`(
    by place: String
  ) async throws {
    let world = try SyncWorld()
    let clock = Clock()
    let schema = place == "kept" ? Photos.schema : Self.schema
    let device = try world.device(schema: schema, environment: clock.environment)
    let other = try world.device("b", schema: Self.schema, environment: clock.environment)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    var photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    let editor = place == "other's" ? other : device
    if place == "other's" {
      try await other.sync()
      photo = try #require(try await other.store.read { try $0.records(of: "Photo") }.first)
        .reference
    }
    let edited = photo
    if place == "row" {
      try await device.store.write { _ = try $0.insert("Photo", ["image": .file(first)]) }
    }
    try await editor.store.write { try $0.update(edited, ["image": .null]) }
    if place != "unsent" { try await editor.sync() }
    switch place {
    case "record":
      try world.server.create(
        "Stranger",
        ["film": ["__type": "File", "name": .string(first.name), "url": .string(first.url ?? "")]])
    case "conflict":
      try device.store.sync(.full) { transaction in
        try transaction.recordConflict(
          ConflictRecord(
            time: .now, record: edited, reason: .remoteWon, lost: ["image": .file(first)]))
      }
    case "undo": try await device.store.undo()
    default: break
    }
    clock.pass(8)
    if place == "unsent" {
      world.network.setFault {
        $0.path.hasPrefix("/classes/Photo") && $0.isWrite ? .requestLost : nil
      }
    }
    _ = try? await editor.sync()
    clock.pass(8)
    _ = try? await editor.sync()
    #expect(try Self.exists(first, on: world))
  }

  @Test func `without the master key, a replaced file stays and is known`() async throws {
    let world = try SyncWorld()
    let clock = Clock()
    let device = try world.device(
      schema: Self.schema, as: world.server.known(asMaster: false), environment: clock.environment)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try await device.sync()
    let first = try #require(try await device.file(of: photo))
    try await device.store.write { try $0.delete(photo) }
    try await device.sync()
    clock.pass(8)
    world.network.forget()
    try await device.sync()
    #expect(!world.network.exchanges.contains { $0.request.method == .delete })
    #expect(
      try await device.store.inspect { try $0.lostUploads() }.map(\.serverName) == [first.name])
    #expect(try Self.exists(first, on: world))
  }
}
