// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryModel
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

@testable import FerryEngine

/// Fetches of files from the double and from a real server.
@Suite(.timeLimit(.minutes(3))) struct FileFetchTests {
  @Test(arguments: TestServer.Kind.all)
  func `a file comes once, and is here at once afterwards`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let content = FileWorld.bytes(300_000)
    let file = File(name: try server.upload("a.bin", content))
    let network = TestNetwork()
    let world = try FileWorld(server.known(asMaster: false), over: network)
    let coordinator = world.coordinator()
    #expect(coordinator.keptFile(file) == nil)
    let fetch = coordinator.startFetching(file)
    var last: FileProgress?
    for await progress in fetch.progress { last = progress }
    let url = try await fetch.url
    #expect(last == FileProgress(done: 300_000, total: 300_000))
    #expect(try Data(contentsOf: url) == content)
    #expect(coordinator.keptFile(file) == url)
    #expect(try await world.coordinator().fetchFile(file) == url)
    #expect(network.requestCount == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `the address of a record leads to its file`(on kind: TestServer.Kind) async throws {
    let world = try SyncWorld(kind)
    let name = try world.server.upload("a.txt", Data("hello".utf8))
    let schema = Schema {
      Entity("Photo") { Field("image", .file) }
    }
    try world.server.create(
      "Photo",
      [
        "image": [
          "__type": "File", "name": .string(name), "url": .string("http://example.com/\(name)"),
        ]
      ])
    let device = try world.device(schema: schema)
    try await device.sync()
    let rows = try await device.store.read { try $0.records(Query("Photo")) }
    guard case .file(let file)? = rows.first?["image"] else {
      Issue.record("The record has no file.")
      return
    }
    #expect(file.url?.hasSuffix("/parse/files/app1/\(name)") == true)
    let url = try await device.coordinator.fetchFile(file)
    #expect(try String(contentsOf: url, encoding: .utf8) == "hello")
  }

  @Test(arguments: TestServer.Kind.all)
  func `equal contents take the room of one`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let world = try FileWorld(server.known())
    let coordinator = world.coordinator()
    var urls: Set<URL> = []
    for _ in 0..<3 {
      let name = try server.upload("a.bin", FileWorld.bytes(1000))
      urls.insert(try await coordinator.fetchFile(File(name: name)))
    }
    #expect(urls.count == 1)
    #expect(world.names(in: "contents").count == 1)
    #expect(try world.cache.files.count == 3)
  }

  @Test func `callers who want one file share a download`() async throws {
    let server = try TestServer()
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(100_000)))
    let network = TestNetwork()
    network.setFault { _ in .delayed(.milliseconds(200)) }
    let world = try FileWorld(server.known(), over: network)
    let coordinator = world.coordinator()
    let urls = await withTaskGroup(of: URL?.self) { group in
      for _ in 0..<8 { group.addTask { try? await coordinator.fetchFile(file) } }
      return await group.reduce(into: Set<URL?>()) { $0.insert($1) }
    }
    #expect(urls.count == 1 && urls.first != .some(nil))
    #expect(network.requestCount == 1)
  }

  @Test func `a caller who gives up leaves the download to the others`() async throws {
    let server = try TestServer()
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(100_000)))
    let network = TestNetwork()
    network.setFault { _ in .delayed(.milliseconds(300)) }
    let world = try FileWorld(server.known(), over: network)
    let coordinator = world.coordinator()
    let (first, second) = (coordinator.startFetching(file), coordinator.startFetching(file))
    first.cancel()
    first.cancel()
    #expect(await fileErrorCode { () throws(FileError) in try await first.url } == .cancelled)
    #expect(await fileErrorCode { () throws(FileError) in try await second.url } == nil)
    #expect(network.requestCount == 1)
  }

  @Test func `the last caller who gives up stops the download`() async throws {
    let server = try TestServer()
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(100_000)))
    let network = TestNetwork()
    network.setFault { _ in .delayed(.seconds(60)) }
    let world = try FileWorld(server.known(), over: network)
    let coordinator = world.coordinator()
    let task = Task {
      await fileErrorCode { () throws(FileError) in try await coordinator.fetchFile(file) }
    }
    while network.requestCount == 0 { await Task.yield() }
    task.cancel()
    #expect(await task.value == .cancelled)
    network.setFault(nil)
    #expect(
      await fileErrorCode { () throws(FileError) in try await coordinator.fetchFile(file) } == nil)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a file that is not there is said to be so`(on kind: TestServer.Kind) async throws {
    let server = try TestServer(kind)
    let world = try FileWorld(server.known())
    let code = await fileErrorCode { () throws(FileError) in
      try await world.coordinator().fetchFile(File(name: "none.txt"))
    }
    #expect(code == .notFound)
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test(arguments: TestServer.Kind.all)
  func `a file for users comes in a session only`(on kind: TestServer.Kind) async throws {
    var options = TestServerOptions()
    options.allowsPublicDownloads = false
    let server = try TestServer(kind, options)
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(10)))
    let token = try server.signUp("ann").token
    let nobody = server.known(asMaster: false)
    let asked: [(ParseServer, FileError.Code?)] = [
      (nobody, .forbidden), (nobody.inSession(of: Secret("r:none")), .loginNeeded),
      (nobody.inSession(of: Secret(token)), nil), (server.known(), nil),
    ]
    for (known, expected) in asked {
      let world = try FileWorld(known)
      let coordinator = world.coordinator()
      let code = await fileErrorCode { () throws(FileError) in try await coordinator.fetchFile(file)
      }
      #expect(code == expected)
    }
  }

  @Test(arguments: TestServer.Kind.all, [true, false])
  func `an interrupted download goes on where it ended, if the server gives parts`(
    on kind: TestServer.Kind, streams: Bool
  ) async throws {
    var options = TestServerOptions()
    options.streamsFiles = streams
    let server = try TestServer(kind, options)
    let content = FileWorld.bytes(1_000_000)
    let file = File(name: try server.upload("a.bin", content))
    let transport = CuttingTransport()
    transport.cut(after: 400_000)
    let world = try FileWorld(server.known(), over: transport)
    let url = try await world.coordinator().fetchFile(file)
    #expect(try Data(contentsOf: url) == content)
    let ranges = transport.requests.map { $0.headers["Range"] }
    #expect(ranges.count == 2 && ranges[0] == nil)
    #expect(ranges[1]?.hasPrefix("bytes=4") == true)
    #expect(transport.received < (streams ? 1_100_000 : 1_500_000))
    #expect(transport.received >= (streams ? 1_000_000 : 1_400_000))
  }
}
