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
@testable import FerryPlanning

/// New files that meet an edit, a server that fails, or a rule of another program on their way.
@Suite(.timeLimit(.minutes(3))) struct FileUploadFaultTests {
  @Test(arguments: [true, false])
  func `a file that comes during the check of an edit goes with the next sync`(
    isFirst: Bool
  ) async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let first = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "b.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["title": "old"]) }
    try await device.sync()
    try await device.store.write { db in
      try db.update(photo, isFirst ? ["title": "new"] : ["image": .file(first)])
    }
    world.once({ $0.path == "/classes/Photo" && world.uploads == (isFirst ? 0 : 1) }) {
      try device.store.write { try $0.update(photo, ["image": .file(second)]) }
    }
    // The download asks for the class, too, so the edit may come before the plan.
    try await device.sync(.only(.putUpdated))
    #expect(try !device.pending().contains { $0.isParked })
    #expect(try await device.sync().outcome == .complete)
    #expect(try await device.file(of: photo)?.name.hasSuffix("_b.txt") == true)
    #expect(try world.fileNames(of: "Photo").allSatisfy { $0.hasSuffix("_b.txt") })
  }

  @Test(arguments: ["cleared", "deleted", "replaced"])
  func `a refusal does not park a record that has the file no more`(edit: String) async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let other = try await device.coordinator.newFile(Data("two".utf8), name: "b.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["title": "old"]) }
    try await device.sync()
    try await device.store.write { try $0.update(photo, ["image": .file(image)]) }
    world.once(
      { $0.path == "/files/a.txt" },
      .answered(code: 130, "File upload of extension txt is disabled.")
    ) {
      try device.store.write { db in
        switch edit {
        case "cleared": try db.update(photo, ["image": .null, "title": "cleared"])
        case "deleted": try db.delete(photo)
        default: try db.update(photo, ["image": .file(other)])
        }
      }
    }
    try await device.sync()
    #expect(try !device.pending().contains { $0.isParked })
    #expect(try await device.sync().outcome == .complete)
    #expect(try device.pending().isEmpty)
    let rows = try world.server.rows(of: "Photo").values
    #expect(rows.count == (edit == "deleted" ? 0 : 1))
    if edit == "cleared" { #expect(rows.first?["title"]?.string == "cleared") }
  }

  @Test func `a failure is not counted for a record that has the file no more`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    world.once({ $0.path == "/files/a.txt" }, .answerLost) {
      try device.store.write { try $0.update(photo, ["image": .null]) }
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").isEmpty)
  }

  @Test func `a cancelled upload counts as no failure of the server`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let content = FileWorld.bytes(6_000_000)
    let image = try await device.coordinator.newFile(content, name: "a.bin")
    try await device.store.write { _ = try $0.insert("Photo", ["image": .file(image)]) }
    let run = device.coordinator.startSync()
    for await event in run.events { if case .sendingFile = event { run.cancel() } }
    let error = await #expect(throws: SyncError.self) { try await run.report }
    #expect(error?.code == .cancelled)
    #expect(try device.pending().map(\.failures.count) == [0])
    #expect(try await device.sync().outcome == .complete)
  }

  @Test func `a failure of the server's storage is one that may pass`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { db in
      try db.insert("Photo", ["title": "other"])
      try db.insert("Photo", ["image": .file(image)])
    }
    world.network.setFault {
      $0.path.hasPrefix("/files/") ? .answered(code: 130, "Could not store file: a.txt.") : nil
    }
    let report = try await device.sync()
    #expect(report.classes["Photo"]?.created == 1 && report.classes["Photo"]?.waiting == 1)
    #expect(try device.pending().map(\.failures.count) == [1])
    #expect(report.remaining["Photo"]?.waiting == 1)
    let change = try #require(try await device.store.inspect { try $0.pendingChanges() }.first)
    #expect(change.state == .blocked && change.nextAttempt == nil)
    #expect(change.reason?.contains("Could not store file: a.txt.") == true)
    world.network.setFault(nil)
    #expect(try await device.sync().outcome == .complete)
  }

  @Test func `a refusal for want of a login waits for one`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "b.txt")
    try await device.store.write { db in
      try db.insert("Photo", ["title": "other"])
      try db.insert("Photo", ["image": .file(image)])
      try db.insert("Photo", ["image": .file(second)])
    }
    world.network.setFault {
      $0.path.hasPrefix("/files/")
        ? .answered(code: 130, "File upload by public is disabled.") : nil
    }
    let report = try await device.sync()
    #expect(report.classes["Photo"]?.created == 1)
    #expect(report.notices.contains { $0.code == .loginNeeded })
    #expect(try !device.pending().contains { $0.isParked })
    let changes = try await device.store.inspect { try $0.pendingChanges() }
    #expect(
      changes.map(\.state) == [.blocked, .blocked] && report.remaining["Photo"]?.waiting == 2)
    for change in changes {
      #expect(change.reason?.contains("File upload by public is disabled.") == true)
      #expect(change.reason?.contains("Log in as a user who may send files") == true)
      #expect(change.reason?.contains("again and again") == false)
      #expect(change.nextAttempt != nil)
    }
    // Without a login, no file leaves again.
    world.network.forget()
    try await device.sync()
    #expect(world.uploads == 0)
    let later = try await device.store.inspect { try $0.pendingChanges() }
    #expect(later.map(\.reason) == changes.map(\.reason))
    try device.store.sync(.full) { transaction in
      try transaction.change(.sentFiles) { $0.refuse(party: "another user") }
    }
    world.network.setFault(nil)
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 2)
  }

  @Test func `a limit of uploads alone stops no other change`() async throws {
    let world = try SyncWorld()
    var options = SyncOptions()
    options.batchesInFlight = 1
    let device = try world.device(schema: Photos.schema, options: options)
    let photos = try await device.store.write { db in
      try (0..<3).map { try db.insert("Photo", ["title": "p\($0)"]) }
    }
    try await device.sync()
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "b.txt")
    try await device.store.write { db in
      try db.insert("Photo", ["image": .file(image)])
      try db.insert("Photo", ["image": .file(second)])
      try db.update(photos[0], ["title": "new"])
      try db.delete(photos[1])
    }
    world.network.setFault {
      $0.path.hasPrefix("/files/")
        ? .answered(
          HTTPResponse(
            status: 429, headers: ["Retry-After": "600"],
            body: Data(#"{"code":155,"error":"Too many requests"}"#.utf8)))
        : nil
    }
    world.network.forget()
    let report = try await device.sync()
    #expect(report.classes["Photo"]?.put == 1 && report.classes["Photo"]?.deleted == 1)
    #expect(world.network.exchanges.count { $0.path.hasPrefix("/files/") } <= 4)
    let pending = try device.pending()
    #expect(pending.count == 2)
    for entry in pending {
      let end = try #require(entry.failures.pauseEnd(after: .now))
      #expect(end > Timestamp.now.adding(.seconds(500)))
      #expect(PendingChange(entry)?.reason?.contains("The server takes no new file now.") == true)
      #expect(PendingChange(entry)?.reason?.contains("Too many requests") == true)
    }
  }

  @Test func `a rule that keeps the new file in its row is named`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { try $0.insert("Photo", ["image": .file(image)]) }
    try device.foreign(
      "CREATE TRIGGER keep BEFORE UPDATE OF image ON Photo BEGIN SELECT RAISE(ABORT, 'stay'); END;")
    let report = try await device.sync()
    #expect(report.notices.contains { $0.code == .rowRefused && $0.message.contains("keep") })
    #expect(try device.pending().map { $0.rule?.contains("keep") } == [true])
    try device.foreign("DROP TRIGGER keep;")
    #expect(try await device.sync().outcome == .complete)
    #expect(world.uploads == 1)
    #expect(try await device.file(of: photo)?.isUnsent == false)
  }

  @Test func `equal bytes are sent once, also with many others between`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    var made: [File] = []
    for index in 0..<(SentFiles.mostSent + 5) {
      made.append(
        try await device.coordinator.newFile(Data("\(index)".utf8), name: "f\(index).txt"))
    }
    let images = made
    try await device.store.write { db in
      for image in images.prefix(1) { try db.insert("Photo", ["image": .file(image)]) }
      for index in 0..<(OutboxPage.size - 1) { try db.insert("Photo", ["title": "t\(index)"]) }
      for image in images.dropFirst() + images.prefix(1) {
        try db.insert("Photo", ["image": .file(image)])
      }
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(world.uploads == images.count)
  }

  @Test func `the notes of lost requests are bounded`() {
    var files = SentFiles()
    for index in 0..<(SentFiles.mostSent + 50) {
      let file = File(name: "unsent:\(index)")
      files.begin(file, at: Timestamp(milliseconds: Int64(index)))
      files.lose(file)
    }
    #expect(files.open.count == SentFiles.mostSent)
    #expect(files.open["unsent:0"] == nil)
  }

  @Test func `a request that no sync follows up any more counts as lost`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try device.store.sync(.full) { transaction in
      try transaction.change(.sentFiles) { $0.begin(image, at: .now) }
    }
    try await device.sync()
    let open = try device.store.syncRead { try $0.state(.sentFiles).open }
    #expect(open[image.name]?.begun == nil && open[image.name]?.lost == 1)
    #expect(try await device.store.inspect { try $0.lostUploads() }.map(\.reason) == [.answerLost])
  }

  @Test func `a lost request is forgotten after a month`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let times = [29, 31].map { Timestamp.now.adding(.seconds(-$0 * 86_400)) }
    try device.store.sync(.full) { transaction in
      try transaction.change(.sentFiles) { files in
        for (index, time) in times.enumerated() {
          files.begin(File(name: "unsent:\(index)"), at: time)
          files.lose(File(name: "unsent:\(index)"))
        }
      }
    }
    try await device.sync()
    let open = try device.store.syncRead { try $0.state(.sentFiles).open }
    #expect(Array(open.keys) == ["unsent:0"])
  }
}

extension OutboxEntry {
  fileprivate var isParked: Bool { if case .parked = state { true } else { false } }
}

extension Device {
  /// Runs SQL like another program.
  fileprivate func foreign(_ sql: String) throws {
    let place = staging.deletingLastPathComponent().appending(path: "store.sqlite")
    let process = try Process.run(
      URL(filePath: "/usr/bin/sqlite3"), arguments: ["-batch", "-bail", place.path, sql])
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

extension TestNetwork.Fault {
  /// An answer of the server with a code.
  fileprivate static func answered(code: Int, _ text: String) -> Self {
    .answered(
      HTTPResponse(
        status: 400, headers: [:], body: Data(#"{"code":\#(code),"error":"\#(text)"}"#.utf8)))
  }
}

extension SyncWorld {
  /// Lets the app edit during the first request that fits, and a fault meet that request.
  fileprivate func once(
    _ fits: @escaping @Sendable (HTTPRequest) -> Bool, _ fault: TestNetwork.Fault? = nil,
    _ edit: @escaping @Sendable () throws -> Void
  ) {
    let isOver = Mutex(false)
    network.setFault { request in
      guard fits(request) else { return nil }
      let isFirst = isOver.withLock { isOver in
        defer { isOver = true }
        return !isOver
      }
      guard isFirst else { return nil }
      do { try edit() } catch { Issue.record(error) }
      return fault
    }
  }
}
