// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Only the owner can read a store's files, and a store opens only plain files.
@Suite(.timeLimit(.minutes(2)))
struct FileTests {
  static func mode(_ url: URL) -> mode_t {
    var status = stat()
    return lstat(url.path(percentEncoded: false), &status) == 0 ? status.st_mode & 0o777 : 0
  }

  /// The modes of a folder and of all files in it.
  static func modes(in folder: URL) throws -> [String: mode_t] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: folder.path(percentEncoded: false))
    let pairs = names.map { ($0, mode(folder.appending(path: $0))) }
    return Dictionary(uniqueKeysWithValues: pairs + [(".", mode(folder))])
  }

  // This needs another process, because the mask belongs to the whole process.
  @Test(arguments: [0o000, 0o022, 0o077, 0o777] as [UInt32])
  func `every file is private whatever the mask`(mask: UInt32) async {
    await #expect(processExitsWith: .success) { [mask] in
      umask(mask)
      let parent = try TemporaryFolder()
      let folder = parent.url.appending(path: "made/deep")
      let url = folder.appending(path: "games.sqlite")
      let store = try SQLiteStore(at: url, schema: TestWorld.schema)
      try store.write { _ = try $0.insert("Game", ["title": "Final"]) }
      _ = try store.read { try $0.count(of: "Game") }
      let lock = try store.lockForSync()
      let clone = try #require(try store.clone() as? SQLiteStore)
      let overlay = try #require(try store.overlaid() as? SQLiteStore)
      for folder in [folder] + [clone, overlay].map({ URL(filePath: $0.files.folder) }) {
        for (name, mode) in try FileTests.modes(in: folder) {
          precondition(mode == (name == "." ? 0o700 : 0o600), "\(name): \(String(mode, radix: 8))")
        }
      }
      let names = try FileTests.modes(in: folder)
      precondition(names.count == 5, "database, -wal, -shm, -lock, folder")
      lock.release()
    }
  }

  @Test func `looser modes of a store are repaired`() throws {
    let parent = try TemporaryFolder()
    let folder = parent.url.appending(path: "made")
    let url = folder.appending(path: "games.sqlite")
    let path = url.path(percentEncoded: false)
    _ = try SQLiteStore(at: url, schema: TestWorld.schema)
    #expect(chmod(path, 0o644) == 0)
    #expect(chmod(folder.path(percentEncoded: false), 0o755) == 0)
    _ = try SQLiteStore(at: url, schema: TestWorld.schema)
    #expect(Self.mode(url) == 0o600)
    #expect(Self.mode(folder) == 0o700)
  }

  @Test func `a folder in use for other things keeps its mode`() throws {
    let parent = try TemporaryFolder()
    let folder = parent.url.appending(path: "home")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data().write(to: folder.appending(path: "other.txt"))
    #expect(chmod(folder.path(percentEncoded: false), 0o755) == 0)
    let url = folder.appending(path: "games.sqlite")
    for _ in 0..<2 { _ = try SQLiteStore(at: url, schema: TestWorld.schema) }
    #expect(Self.mode(folder) == 0o755)
    #expect(Self.mode(url) == 0o600)
  }

  @Test(arguments: ["", "-wal", "-shm", "-journal", "-lock"])
  func `a link in the store's place is refused`(suffix: String) throws {
    let folder = try TemporaryFolder()
    let victim = folder.url.appending(path: "victim")
    try Data("precious".utf8).write(to: victim)
    let url = folder.url.appending(path: "games.sqlite")
    let link = folder.url.appending(path: "games.sqlite\(suffix)")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: victim)
    let error = expectStoreError(.notAccessible) {
      try SQLiteStore(at: url, schema: TestWorld.schema)
    }
    #expect(error?.message.contains(link.lastPathComponent) == true)
    #expect(try Data(contentsOf: victim) == Data("precious".utf8))
  }

  @Test func `a folder in which no file can be made is an error`() throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "file")
    try Data().write(to: file)
    expectStoreError(.notAccessible) {
      try SQLiteStore(at: file.appending(path: "games.sqlite"), schema: TestWorld.schema)
    }
    expectStoreError(.notAccessible) {
      try SQLiteStore(at: folder.url, schema: TestWorld.schema)
    }
    let remote = try #require(URL(string: "https://example.com/games.sqlite"))
    expectStoreError(.notAccessible) { try SQLiteStore(at: remote, schema: TestWorld.schema) }
  }

  @Test func `a clone is consistent, apart, and removed when released`() throws {
    let world = try TestWorld()
    try world.importGame("one")
    try world.foreign("UPDATE Game SET title = 'Edited'")
    var folder: String?
    do {
      let clone = try #require(try world.store.clone() as? SQLiteStore)
      folder = clone.files.folder
      let inClone = try clone.read { try $0.records(of: "Game") }
      #expect(inClone == (try world.store.read { try $0.records(of: "Game") }))
      #expect(try clone.syncRead { try $0.pendingEntries(of: nil) }.count == 1)
      try clone.sync(.normal) { try $0.remove(inClone.map(\.localID), from: "Game") }
      try clone.write { _ = try $0.insert("Game", ["title": "In the clone"]) }
    }
    #expect(try world.store.read { try $0.records(of: "Game") }.map { $0["title"] } == ["Edited"])
    #expect(!FileManager.default.fileExists(atPath: try #require(folder)))
  }
}
