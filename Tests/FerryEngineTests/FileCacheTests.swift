// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import Foundation
import Testing

@testable import FerryEngine

/// The room that files take, and which of them leave.
@Suite(.timeLimit(.minutes(1))) struct FileCacheTests {
  private func kept(_ name: String, _ sum: String, _ bytes: Int, _ time: Int64) -> KeptFile {
    KeptFile(
      name: name, url: URL(filePath: "/" + sum), bytes: bytes, sha256: sum,
      lastUse: Timestamp(milliseconds: time))
  }

  @Test(arguments: [
    (100, []), (60, []), (59, ["a"]), (30, ["a", "b"]), (29, ["a", "b", "c"]),
    (0, ["a", "b", "c"]),
  ])
  func `the contents leave that were not used for longest`(limit: Int, leaving: [String]) {
    let files = [
      kept("3", "c", 30, 30), kept("1", "a", 10, 10), kept("2", "b", 20, 5), kept("4", "b", 20, 20),
    ]
    #expect(
      FileEviction.leaving(files, limit: limit, protectedSince: .latest) == leaving)
  }

  @Test func `a content that was used lately stays`() {
    let files = [kept("1", "a", 10, 10), kept("2", "b", 20, 20)]
    let time = Timestamp(milliseconds: 20)
    #expect(FileEviction.leaving(files, limit: 0, protectedSince: time) == ["a"])
    let held = FileEviction.leaving(files, limit: 0, protectedSince: .latest, held: ["a"])
    #expect(held == ["b"])
  }

  @Test func `beyond the limit the oldest files leave, and can be fetched again`() async throws {
    let server = try TestServer()
    let world = try FileWorld(server.known())
    let coordinator = world.coordinator { $0.limit = 2500 }
    var files: [File] = []
    for seed in 1...4 {
      files.append(
        File(name: try server.upload("a.bin", FileWorld.bytes(1000, seed: UInt64(seed)))))
      _ = try await coordinator.fetchFile(files[seed - 1])
      world.clock.advance(seconds: 1000)
      // The first one is used again and again.
      _ = coordinator.keptFile(files[0])
    }
    #expect(coordinator.keptFile(files[0]) != nil)
    #expect(coordinator.keptFile(files[1]) == nil && coordinator.keptFile(files[2]) == nil)
    #expect(coordinator.keptFile(files[3]) != nil)
    #expect(world.names(in: "contents").count == 2 && world.names(in: "names").count == 2)
    let again = try await coordinator.fetchFile(files[1])
    #expect(try Data(contentsOf: again) == FileWorld.bytes(1000, seed: 2))
  }

  @Test func `a file that is in use stays beyond the limit`() async throws {
    let server = try TestServer()
    let world = try FileWorld(server.known())
    let coordinator = world.coordinator { $0.limit = 0 }
    for seed in 1...2 {
      let name = try server.upload("a.bin", FileWorld.bytes(1000, seed: UInt64(seed)))
      _ = try await coordinator.fetchFile(File(name: name))
    }
    #expect(try world.cache.files.count == 2)
  }

  @Test func `pruning removes what is asked for, and what no note names`() async throws {
    let server = try TestServer()
    let world = try FileWorld(server.known())
    let name = try server.upload("a.bin", FileWorld.bytes(1000))
    let file = File(name: name)
    _ = try await world.coordinator().fetchFile(file)
    let sum = String(repeating: "0a", count: 32)
    let strays = [
      "contents/\(sum)", "names/\(sum)", "names/\(sum).part", "parts/\(sum)", "parts/\(sum).note",
      "parts/\(sum).note.part", "parts/\(sum).\(UUID().uuidString)",
    ]
    for stray in strays { try world.writeOld(stray) }
    try Data("x".utf8).write(to: world.files.appending(path: "contents/\(sum.dropLast())b"))
    #expect(try world.cache.prune(to: 1000).isEmpty)
    #expect(world.names(in: "contents").count == 2 && world.names(in: "names").count == 1)
    #expect(world.names(in: "parts").isEmpty)
    #expect(try world.cache.prune(to: 999).map(\.name) == [name])
    #expect(world.names(in: "contents") == ["\(sum.dropLast())b"])
    #expect(world.names(in: "names").isEmpty)
    #expect(world.coordinator().keptFile(file) == nil)
  }

  @Test func `pruning leaves what is not Ferry's, however old it is`() async throws {
    let server = try TestServer()
    let world = try FileWorld(server.known())
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(1000)))
    _ = try await world.coordinator().fetchFile(file)
    let sum = String(repeating: "0a", count: 32)
    let folders = ["contents", "names", "parts"]
    let names = ["x.txt", "\(sum)0", sum.uppercased(), "\(sum).jpg", ".note"]
    for folder in folders {
      for name in names { try world.writeOld("\(folder)/\(name)") }
      for name in ["sub", String(sum.reversed())] { try world.makeOldFolder("\(folder)/\(name)") }
    }
    try world.writeOld("parts/\(sum).mine")
    #expect(try world.cache.prune(to: 0).map(\.name) == [file.name])
    for folder in folders {
      let left = Set(world.names(in: folder)).subtracting(["\(sum).mine"])
      #expect(left == Set(names + ["sub", String(sum.reversed())]), "\(folder)")
    }
    #expect(world.names(in: "parts").contains("\(sum).mine"))
  }

  @Test(arguments: ["", "contents", "names", "parts"])
  func `a link to another folder is refused, and the folder stays as it is`(
    name: String
  ) async throws {
    let server = try TestServer()
    let world = try FileWorld(server.known())
    let file = File(name: try server.upload("a.bin", FileWorld.bytes(1000)))
    let other = world.folder.url.appending(path: "other")
    try FileManager.default.createDirectory(
      at: other, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let sum = String(repeating: "0a", count: 32)
    let stray = other.appending(path: sum)
    try Data("x".utf8).write(to: stray)
    try FileWorld.age(stray)
    if !name.isEmpty {
      try FileManager.default.createDirectory(at: world.files, withIntermediateDirectories: false)
    }
    let link = world.folder.url.appending(path: name.isEmpty ? "files" : "files/\(name)")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: other)
    let code = await fileErrorCode { () throws(FileError) in
      try await world.coordinator().fetchFile(file)
    }
    #expect(code == .localStorage)
    let error = #expect(throws: FileError.self) { try world.cache.prune(to: 0) }
    #expect(error?.message.contains("is a symbolic link") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == [sum])
    let attributes = try FileManager.default.attributesOfItem(atPath: other.path)
    #expect(attributes[.posixPermissions] as? Int == 0o755)
  }

  @Test func `pruning removes what interrupted downloads left, and no part that is written`()
    async throws
  {
    let server = try ScriptedServer { connection in
      guard connection.readRequest() != nil else { return }
      connection.write(
        "HTTP/1.1 200 OK\r\nContent-Length: 200000\r\n\r\n" + String(repeating: "x", count: 100_000)
      )
      connection.stall()
    }
    defer { server.stop() }
    let world = try FileWorld(ParseServer(url: server.url("parse"), applicationID: "app1"))
    let file = File(name: "0123456789abcdef0123456789abcdef_a.bin")
    let fetch = world.coordinator().startFetching(file)
    for await progress in fetch.progress where progress.done == 100_000 { break }
    try world.cache.prune(to: .max)
    #expect(world.names(in: "parts").contains { !$0.hasSuffix(".note") })
    fetch.cancel()
    #expect(await fileErrorCode { () throws(FileError) in try await fetch.url } == .cancelled)
    // The download ends after the caller.
    while !world.names(in: "parts").isEmpty {
      try world.cache.prune(to: .max)
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  @Test func `a note that names another path leads nowhere`() throws {
    let world = try FileWorld(ParseServer(url: URL(filePath: "/"), applicationID: "a"))
    let folder = FileFolder(url: world.files)
    try folder.prepare()
    try Data(#"{"name":"a","sha256":"../../secret","bytes":1}"#.utf8).write(to: folder.note("key"))
    #expect(folder.kept("key") == nil)
    #expect(try world.cache.files.isEmpty)
  }

  @Test func `a folder that is not there has no files`() throws {
    let cache = FileCache(at: URL(filePath: "/nowhere/files"))
    #expect(try cache.files.isEmpty)
    #expect(try cache.prune(to: 0).isEmpty)
  }
}
