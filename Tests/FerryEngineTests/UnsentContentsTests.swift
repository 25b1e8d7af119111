// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import LoopbackParse
import Testing

@testable import FerryEngine

/// When contents leave the folder of unsent ones.
@Suite(.timeLimit(.minutes(1))) struct UnsentContentsTests {
  @Test func `a content leaves the folder of unsent ones once it was sent and is an hour old`()
    async throws
  {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let other = try await device.coordinator.newFile(Data("one".utf8), name: "page.html")
    let folder = device.staging.deletingLastPathComponent().appending(path: "files/unsent")
    func count() -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path))?.count ?? -1
    }
    let second = try await device.store.write { db in
      try db.insert("Photo", ["image": .file(image)])
      return try db.insert("Photo", ["image": .file(other)])
    }
    // The other record has an equal content, and is parked.
    world.network.setFault {
      $0.path.hasSuffix("page.html")
        ? .answered(HTTPResponse(status: 413, headers: [:], body: Data())) : nil
    }
    try await device.sync()
    #expect(count() == 1)
    // Its bytes have a second name, so a prune frees nothing, and says so.
    let cache = FileCache(at: device.staging.deletingLastPathComponent().appending(path: "files"))
    #expect(try cache.prune(to: 0).isEmpty)
    try FileWorld.age(folder.appending(path: #require(image.unsent).sha256))
    try await device.sync()
    #expect(count() == 1)
    try await device.store.write { try $0.update(second, ["image": .null]) }
    try await device.sync()
    #expect(count() == 0)
    #expect(device.coordinator.keptFile(image) != nil)
    #expect(try cache.prune(to: 0).count == 1)
    #expect(device.coordinator.keptFile(image) == nil)
  }

  @Test(arguments: [true, false])
  func `a content that no row ever named leaves after a month`(isOld: Bool) async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    if isOld { try FileWorld.age(#require(device.coordinator.keptFile(image)), days: 31) }
    try await device.sync()
    #expect((device.coordinator.keptFile(image) == nil) == isOld)
  }

  @Test func `an old content stays that the app keeps anew while a sync looks for old ones`()
    async throws
  {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let folder = FileFolder(
      url: device.staging.deletingLastPathComponent().appending(path: "files"))
    let sum = try #require(image.unsent).sha256
    let start = Timestamp(Date(timeIntervalSinceNow: -60))
    folder.removeUnsent(sum, keptBefore: start)
    #expect(device.coordinator.keptFile(image) != nil)
    folder.removeUnsent(sum, keptBefore: start.adding(.seconds(3600)))
    #expect(device.coordinator.keptFile(image) == nil)
  }

  @Test(arguments: ["row", "history", "conflict"])
  func `an old content stays that something names`(place: String) async throws {
    let world = try SyncWorld()
    // The master key may send any file.
    let device = try world.device(
      schema: Photos.schema, as: world.server.known(asMaster: false))
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.html")
    let photo = try await device.store.write { db in
      try db.insert("Photo", place == "conflict" ? ["title": "x"] : ["image": .file(image)])
    }
    // The server refuses the file of the row that stays.
    if place == "history" { try await device.store.write { try $0.delete(photo) } }
    if place == "conflict" {
      try device.store.sync(.full) { transaction in
        try transaction.recordConflict(
          ConflictRecord(
            time: .now, record: photo, reason: .remoteWon, lost: ["image": .file(image)]))
      }
    }
    let content = try #require(device.coordinator.keptFile(image))
    try FileWorld.age(content, days: 31)
    try await device.sync()
    #expect(device.coordinator.keptFile(image) != nil)
    // It is not looked for again at once.
    let time = try FileManager.default.attributesOfItem(atPath: content.path)[.modificationDate]
    #expect((time as? Date)?.timeIntervalSinceNow ?? -.infinity > -3600)
  }
}
