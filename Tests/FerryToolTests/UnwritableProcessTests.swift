// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

/// A store in a folder that may only be read, or on a medium of that kind.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UnwritableProcessTests {
  /// The commands with which a user without special rights reads the world's folder.
  private func reader(of world: ToolWorld) -> String {
    geteuid() == 0
      ? "setpriv --bounding-set=-all --inh-caps=-all -- \"$FERRY\"" : "\"$FERRY\""
  }

  @Test(arguments: ["status", "outbox", "plan", "verify", "conflicts", "history", "doctor"])
  func `a store in a folder that may only be read is read, and stays as it is`(
    command: String
  ) async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql("INSERT INTO Game (title) VALUES ('Final')")
    let store = try Data(contentsOf: world.folder.url.appending(path: "store.sqlite"))
    chmod(world.folder.path, 0o500)
    defer { chmod(world.folder.path, 0o700) }
    let before = try FileManager.default.contentsOfDirectory(atPath: world.folder.path)
    let result = try await world.shell("\(reader(of: world)) \(command)")
    let codes: [String: Int32] = ["verify": 2, "doctor": 74]
    #expect(result.code == codes[command] ?? 0, "\(result.errors)")
    switch command {
    case "status": #expect(result.output.contains("1 change is unsent"))
    case "outbox": #expect(result.output.contains("Game #4 create title: ready"))
    case "plan": #expect(result.output.contains("Game: 1 create"))
    case "verify": #expect(result.output.contains("1 waiting to be sent"))
    case "doctor":
      #expect(result.output.contains("The store can be read"))
      #expect(result.output.contains("cannot be written to"))
      // The code of the sync that it foretells.
      #expect(try await world.shell("\(reader(of: world)) sync").code == 74)
    default: break
    }
    #expect(
      try Set(before)
        == Set(FileManager.default.contentsOfDirectory(atPath: world.folder.path)))
    #expect(try Data(contentsOf: world.folder.url.appending(path: "store.sqlite")) == store)
  }

  @Test func `a log that cannot be read without the right to write is named`() async throws {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    // A program that was killed leaves its log; the file beside it did not come along with the copy.
    let kill = "PRAGMA wal_autocheckpoint = 0; INSERT INTO Game (title) VALUES ('Final');"
    _ = try await world.shell(
      "(echo \"\(kill)\"; echo '.shell kill -9 $PPID') | sqlite3 store.sqlite")
    #expect(FileManager.default.fileExists(atPath: world.path("store.sqlite-wal")))
    chmod(world.folder.path, 0o500)
    let beside = try await world.shell("\(reader(of: world)) status")
    #expect(beside.code == 0, "\(beside.errors)")
    #expect(beside.output.contains("1 change is unsent"))
    chmod(world.folder.path, 0o700)
    try FileManager.default.removeItem(atPath: world.path("store.sqlite-shm"))
    chmod(world.folder.path, 0o500)
    defer { chmod(world.folder.path, 0o700) }
    let result = try await world.shell("\(reader(of: world)) status")
    #expect(result.code == 74, "\(result.output)")
    #expect(result.errors.contains("has changes in a log beside it"), "\(result.errors)")
    #expect(result.errors.contains("Nothing was changed."))
  }
}
