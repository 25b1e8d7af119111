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

/// New files on their way to the double and to a real server.
@Suite(.timeLimit(.minutes(3))) struct FileUploadTests {
  @Test(arguments: TestServer.Kind.all, [true, false])
  func `a new file arrives before its record, and stays here`(
    on kind: TestServer.Kind, customIDs: Bool
  ) async throws {
    let world = try SyncWorld(kind, .init(allowsCustomIDs: customIDs))
    let device = try world.device(schema: Photos.schema)
    let content = FileWorld.bytes(700_000)
    let image = try await device.coordinator.newFile(content, name: "Strand é.jpg")
    let photo = try await device.store.write { db in
      let photo = try db.insert("Photo", ["title": "Beach", "image": .file(image)])
      try db.insert("Comment", ["photo": .pointer(photo)])
      return photo
    }
    let report = try await device.sync()
    #expect(report.outcome == .complete)
    #expect(report.classes["Photo"]?.uploaded == 1 && report.classes["Photo"]?.created == 1)
    #expect(report.classes["Comment"]?.created == 1)
    #expect(try device.pending().isEmpty)
    let sent = try #require(try await device.file(of: photo))
    #expect(sent.unsent == nil && sent.name.hasSuffix("_Strand _.jpg"))
    #expect(try world.fileNames(of: "Photo") == [sent.name])
    // It is here under its new name without a request.
    #expect(try Data(contentsOf: #require(device.coordinator.keptFile(sent))) == content)
    let other = try world.device("b", schema: Photos.schema)
    try await other.sync()
    let file = try #require(try await other.files().first)
    #expect(try await Data(contentsOf: other.coordinator.fetchFile(file)) == content)
    world.network.forget()
    try await device.sync()
    #expect(!world.network.exchanges.contains { $0.request.isWrite })
  }

  @Test(arguments: TestServer.Kind.all)
  func `an edit replaces a file, and an equal one is sent once`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Photos.schema)
    let first = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photos = try await device.store.write { db in
      try (0..<3).map { try db.insert("Photo", ["title": "p\($0)", "image": .file(first)]) }
    }
    try await device.sync()
    #expect(world.uploads == 1)
    #expect(Set(try world.fileNames(of: "Photo")).count == 1)
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "a.txt")
    try await device.store.write { db in
      try db.update(photos[0], ["image": .file(second), "title": "new"])
      try db.update(photos[1], ["image": .null])
    }
    let report = try await device.sync()
    #expect(report.outcome == .complete)
    #expect(report.classes["Photo"]?.put == 2 && world.uploads == 2)
    let sent = try #require(try await device.file(of: photos[0]))
    let url = try await device.coordinator.fetchFile(sent)
    #expect(try String(contentsOf: url, encoding: .utf8) == "two")
    #expect(try await device.file(of: photos[1]) == nil)
    #expect(Set(try world.fileNames(of: "Photo")).count == 2)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a lost answer leaves one file that a record names`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { db in
      try db.insert("Photo", ["title": "other"])
      return try db.insert("Photo", ["image": .file(image)])
    }
    world.network.setFault { $0.path.hasPrefix("/files/") ? .answerLost : nil }
    let report = try await device.sync()
    // The other record goes on.
    #expect(report.classes["Photo"]?.created == 1 && report.classes["Photo"]?.waiting == 1)
    let value = try await device.file(of: photo)
    #expect(value == image)
    world.network.setFault(nil)
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 1)
    let open = try device.store.syncRead { try $0.state(.sentFiles).open }
    #expect(open[image.name]?.lost == 1 && open[image.name]?.begun == nil)
  }

  @Test(arguments: TestServer.Kind.all, [true, false])
  func `an edit during an upload is sent, and the first file leaves the server if the key allows`(
    on kind: TestServer.Kind, isMaster: Bool
  ) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Photos.schema, as: world.server.known(asMaster: isMaster))
    let first = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let second = try await device.coordinator.newFile(Data("two".utf8), name: "a.txt")
    let photo = try await device.store.write { db in
      try db.insert("Photo", ["image": .file(first)])
    }
    let edits = Mutex(1)
    world.network.setFault { request in
      let isFirst = edits.withLock { edits in
        guard request.path.hasPrefix("/files/") else { return false }
        defer { edits -= 1 }
        return edits == 1
      }
      if isFirst { _ = try? device.store.write { try $0.update(photo, ["image": .file(second)]) } }
      return nil
    }
    let report = try await device.sync()
    #expect(report.outcome == .complete && report.classes["Photo"]?.uploaded == 2)
    let sent = try #require(try await device.file(of: photo))
    #expect(try world.fileNames(of: "Photo") == [sent.name])
    let url = try await device.coordinator.fetchFile(sent)
    #expect(try String(contentsOf: url, encoding: .utf8) == "two")
    let unnamed = try await device.store.inspect { try $0.lostUploads() }
    #expect(unnamed.map(\.file.name) == (isMaster ? [] : ["a.txt"]))
    #expect(world.network.exchanges.contains { $0.request.method == .delete } == isMaster)
    if let name = unnamed.first?.serverName {
      #expect(try await device.coordinator.fetchFile(File(name: name)).isFileURL)
    }
  }

  @Test func `a process that ended during an upload sends the file anew`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { db in _ = try db.insert("Photo", ["image": .file(image)]) }
    try device.store.sync(.full) { transaction in
      try transaction.change(.sentFiles) { $0.begin(image, at: .now) }
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 1)
    #expect(try device.store.syncRead { try $0.state(.sentFiles).open[image.name]?.lost } == 1)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a file that the server refuses parks its record, and others go on`(
    on kind: TestServer.Kind
  ) async throws {
    let world = try SyncWorld(kind)
    let device = try world.device(schema: Photos.schema, as: world.server.known(asMaster: false))
    let page = try await device.coordinator.newFile(Data("<p>".utf8), name: "page.html")
    let photo = try await device.store.write { db in
      try db.insert("Photo", ["title": "other"])
      return try db.insert("Photo", ["image": .file(page)])
    }
    let report = try await device.sync()
    #expect(report.classes["Photo"]?.created == 1 && report.classes["Photo"]?.parked == 1)
    let entry = try #require(try device.pending().first)
    #expect(entry.localID == photo.localID)
    #expect(entry.state.reason?.contains("File upload of extension html is disabled.") == true)
    guard case .parked(let refusal) = entry.state else {
      Issue.record("It is not parked.")
      return
    }
    #expect(refusal.code == 130)
    try await device.sync()
    #expect(world.uploads == 1)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { try $0.update(photo, ["image": .file(image)]) }
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 1)
  }

  @Test func `a file beyond the limit is refused before a byte of it leaves`() async throws {
    let world = try SyncWorld()
    var options = SyncOptions()
    options.largestUpload = 10
    let device = try world.device(schema: Photos.schema, options: options)
    let generous = try world.device(schema: Photos.schema)
    let image = try await generous.coordinator.newFile(FileWorld.bytes(11), name: "a.bin")
    try await device.store.write { db in _ = try db.insert("Photo", ["image": .file(image)]) }
    #expect(try await device.sync().classes["Photo"]?.parked == 1)
    #expect(world.uploads == 0)
    // With a greater limit, a retry sends it.
    _ = try await generous.store.retryChanges()
    #expect(try await generous.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 1)
  }

  @Test(arguments: ["gone", "changed", "cut"])
  func `a content that was changed or removed never reaches the server`(
    kind: String
  ) async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let content = FileWorld.bytes(300_000)
    let image = try await device.coordinator.newFile(content, name: "a.bin")
    let url = try #require(device.coordinator.keptFile(image))
    try await device.store.write { db in _ = try db.insert("Photo", ["image": .file(image)]) }
    switch kind {
    case "gone": try FileManager.default.removeItem(at: url)
    case "cut": try content.dropLast().write(to: url)
    default: try (content.dropLast() + [content[0] ^ 1]).write(to: url)
    }
    #expect(try await device.sync().classes["Photo"]?.parked == 1)
    #expect(try world.fileNames(of: "Photo").isEmpty)
    #expect(!world.network.exchanges.contains { $0.path.hasPrefix("/files/") && $0.status != nil })
    // The app gives the content again, and retries.
    let again = try await device.coordinator.newFile(content, name: "a.bin")
    #expect(again == image)
    _ = try await device.store.retryChanges()
    #expect(try await device.sync().outcome == .complete)
  }

  @Test func `a plan shows the file and changes nothing`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { db in
      try db.insert("Photo", ["image": .file(image)])
    }
    let plan = try await device.coordinator.plan()
    #expect(plan.actions.map(\.kind) == [.upload, .post])
    #expect(plan.actions.first?.fields == ["image"])
    #expect(plan.actions.first?.reason == "The file a.txt, 3 bytes.")
    #expect(world.uploads == 0)
    #expect(try await device.file(of: photo) == image)
    #expect(try device.store.syncRead { try $0.state(.sentFiles) } == SentFiles())
    let report = try await device.sync()
    #expect(plan.report.classes == report.classes)
  }

  @Test func `plain SQL attaches a file`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    try await device.store.write { db in _ = try db.insert("Photo", ["title": "Beach"]) }
    try await device.store.writeSQL { db in
      _ = try db.execute(
        "UPDATE Photo SET image = json_object('__type', 'File', 'name', ?)", [.string(image.name)])
    }
    #expect(try await device.sync().outcome == .complete)
    #expect(try world.fileNames(of: "Photo").count == 1)
  }

  @Test func `events show how much has left`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(FileWorld.bytes(900_000), name: "a.bin")
    try await device.store.write { db in _ = try db.insert("Photo", ["image": .file(image)]) }
    let run = device.coordinator.startSync()
    var steps: [FileUploadProgress] = []
    for await event in run.events { if case .sendingFile(let step) = event { steps.append(step) } }
    #expect(steps.last == FileUploadProgress(name: "a.bin", done: 900_000, total: 900_000))
    #expect(steps.count > 1)
  }

  @Test func `an undo after an upload sends no second copy`() async throws {
    let world = try SyncWorld()
    let device = try world.device(schema: Photos.schema)
    let image = try await device.coordinator.newFile(Data("one".utf8), name: "a.txt")
    let photo = try await device.store.write { db in
      try db.insert("Photo", ["image": .file(image)])
    }
    try await device.sync()
    try await device.store.write { try $0.update(photo, ["image": .null]) }
    try await device.sync()
    // The app has kept the value.
    try await device.store.write { try $0.update(photo, ["image": .file(image)]) }
    #expect(try await device.sync().outcome == .complete)
    #expect(world.uploads == 1)
    #expect(try world.fileNames(of: "Photo").count == 1)
  }
}

/// Photos with comments.
enum Photos {
  static let schema = Schema {
    Entity("Photo") {
      Field("title", .text)
      Field("image", .file)
    }
    Entity("Comment") {
      Field("photo", .pointer(to: "Photo"))
    }
  }
}

extension SyncWorld {
  /// The uploads that the server has answered.
  var uploads: Int {
    network.exchanges.count {
      $0.request.method == .post && $0.path.hasPrefix("/files/") && $0.status != nil
    }
  }

  /// The names of the files that records of the server have.
  func fileNames(of className: String) throws -> [String] {
    try server.rows(of: className).values.compactMap { $0["image"]?["name"]?.string }
  }
}

extension Device {
  func files() async throws -> [File] {
    try await store.read { try $0.records(of: "Photo") }.compactMap {
      if case .file(let file) = $0["image"] { file } else { nil }
    }
  }

  func file(of photo: RecordReference) async throws -> File? {
    let record = try await store.read { try $0.record(of: "Photo", localID: photo.localID) }
    if case .file(let file)? = record?["image"] { return file }
    return nil
  }
}
