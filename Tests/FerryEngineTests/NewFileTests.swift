// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryTestSupport
import Foundation
import Testing

@testable import FerryEngine

/// Contents that the app gives to a field: kept before any row names them.
@Suite(.timeLimit(.minutes(1))) struct NewFileTests {
  @Test func `a new file is here at once, and after the end of the process`() async throws {
    let world = try FileWorld(TestServer().known())
    let content = FileWorld.bytes(200_000)
    let coordinator = world.coordinator()
    let file = try await coordinator.newFile(content, name: "Strand/Foto é.bin")
    let unsent = try #require(file.unsent)
    #expect(unsent.name == "Strand_Foto _.bin")
    #expect(unsent.bytes == 200_000 && unsent.type == "application/octet-stream")
    let url = try #require(coordinator.keptFile(file))
    #expect(try Data(contentsOf: url) == content)
    #expect(try await world.coordinator().fetchFile(file) == url)
    #expect(world.names(in: "unsent") == [unsent.sha256])
    #expect(world.names(in: "parts").isEmpty)
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let folder = try FileManager.default.attributesOfItem(
      atPath: url.deletingLastPathComponent().path)
    #expect(folder[.posixPermissions] as? Int == 0o700)
  }

  @Test func `a copy of a file does not change with the file`() async throws {
    let world = try FileWorld(TestServer().known())
    let source = world.folder.url.appending(path: "trip.mov")
    try FileWorld.bytes(70_000).write(to: source)
    let coordinator = world.coordinator()
    let file = try await coordinator.newFile(contentsOf: source)
    let again = try world.cache.newFile(contentsOf: source)
    #expect(file == again)
    #expect(file.unsent?.type == "video/quicktime")
    try FileManager.default.removeItem(at: source)
    let url = try #require(coordinator.keptFile(file))
    #expect(try Data(contentsOf: url) == FileWorld.bytes(70_000))
    #expect(world.names(in: "unsent").count == 1)
  }

  @Test func `a new file that no server takes is refused, and nothing of it is kept`() async throws
  {
    let world = try FileWorld(TestServer().known())
    let coordinator = world.coordinator { $0.largestUpload = 10 }
    let source = world.folder.url.appending(path: "large.bin")
    try FileWorld.bytes(70_000).write(to: source)
    let absent = world.folder.url.appending(path: "absent")
    let attempts: [(FileError.Code, () async throws(FileError) -> File)] = [
      (.empty, { () throws(FileError) in try await coordinator.newFile(Data(), name: "a.txt") }),
      (
        .tooLarge,
        { () throws(FileError) in
          try await coordinator.newFile(FileWorld.bytes(11), name: "a.txt")
        }
      ),
      (
        .tooLarge,
        { () throws(FileError) in try await coordinator.newFile(contentsOf: source) }
      ),
      (
        .unusableType,
        { () throws(FileError) in
          try await coordinator.newFile(Data("a".utf8), name: "a.txt", type: "text")
        }
      ),
      (
        .localStorage,
        { () throws(FileError) in try await coordinator.newFile(contentsOf: absent) }
      ),
      (
        .localStorage,
        { () throws(FileError) in
          try await coordinator.newFile(contentsOf: world.folder.url)
        }
      ),
    ]
    for (code, attempt) in attempts {
      let error = await #expect(throws: FileError.self) { try await attempt() }
      #expect(error?.code == code)
    }
    #expect(world.names(in: "unsent").isEmpty)
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test func `a device without an end, and a pipe that nobody writes to, are no files`() throws {
    let world = try FileWorld(TestServer().known())
    let pipe = world.folder.url.appending(path: "pipe")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    for path in [URL(filePath: "/dev/zero"), pipe] {
      let error = #expect(throws: FileError.self) { try world.cache.newFile(contentsOf: path) }
      #expect(error?.code == .localStorage)
    }
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test func `a full disk keeps nothing of a new file`() async throws {
    let world = try FileWorld(TestServer().known())
    let coordinator = world.coordinator {
      $0.write = { _, _ in
        errno = ENOSPC
        return -1
      }
    }
    let error = await #expect(throws: FileError.self) {
      try await coordinator.newFile(Data("hello".utf8), name: "a.txt")
    }
    #expect(error?.code == .diskFull)
    #expect(world.names(in: "unsent").isEmpty)
    #expect(world.names(in: "parts").isEmpty)
  }

  @Test func `a prune and an eviction leave new files alone`() async throws {
    let world = try FileWorld(TestServer().known())
    let file = try await world.coordinator().newFile(Data("hello".utf8), name: "a.txt")
    try FileWorld.age(try #require(world.coordinator().keptFile(file)))
    #expect(try world.cache.prune(to: 0).isEmpty)
    #expect(world.coordinator().keptFile(file) != nil)
  }

  @Test func `a new file whose content is gone is said to be lost`() async throws {
    let world = try FileWorld(TestServer().known())
    let coordinator = world.coordinator()
    let file = try await coordinator.newFile(Data("hello".utf8), name: "a.txt")
    try FileManager.default.removeItem(at: try #require(coordinator.keptFile(file)))
    #expect(coordinator.keptFile(file) == nil)
    let code = await fileErrorCode { () throws(FileError) in
      try await coordinator.fetchFile(file)
    }
    #expect(code == .notFound)
    let strange = await fileErrorCode { () throws(FileError) in
      try await coordinator.fetchFile(File(name: "unsent:../../x"))
    }
    #expect(strange == .notFound)
  }
}
