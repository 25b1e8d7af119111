// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerrySimulator
import FerryStore
import Foundation
import Testing

@testable import SimulatedDisk

struct SimulatedDiskTests {
  @Test func `a write that no sync follows is kept or lost by the power loss`() {
    var image = DiskImage(["a": [1, 2, 3]])
    image.write([9, 9], at: 2, of: "a")
    image.truncate("a", to: 3)
    #expect(image.remains(.keepsAll) == ["a": [1, 2, 9]])
    #expect(image.remains(.losesAll) == ["a": [1, 2, 3]])
    image.sync("a", withFolder: false)
    #expect(image.remains(.losesAll) == ["a": [1, 2, 9]])
  }

  @Test func `a name is durable once its folder is synced`() {
    var image = DiskImage()
    image.create("f/a")
    image.write([1], at: 0, of: "f/a")
    image.sync("f/a", withFolder: false)
    #expect(image.remains(.losesAll) == [:])
    image.rename("f/a", to: "f/b")
    #expect(image.remains(.keepsAll) == ["f/b": [1]])
    image.sync("f/b", withFolder: true)
    image.remove("f/b")
    #expect(image.remains(.losesAll) == ["f/b": [1]])
    #expect(image.remains(.keepsAll) == [:])
  }

  @Test func `chance keeps, loses and tears writes at sectors`() {
    var image = DiskImage(["a": Array(repeating: 0, count: 2048)])
    image.write(Array(repeating: 1, count: 2048), at: 0, of: "a")
    let left = (0..<2000).map { image.remains(.mixes(seed: UInt64($0)))["a"] ?? [] }
    let sums = Set(left.map { $0.reduce(0) { $0 + Int($1) } })
    #expect(sums == [0, 512, 1024, 1536, 2048])
  }

  @Test(arguments: [("FULL", "1"), ("NORMAL", "0")])
  func `SQLite keeps a commit if it synced its log`(mode: String, rows: String) throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let disk = try SimulatedDisk(folder: folder.appending(path: "a"))
    let file = disk.folder.appending(path: "x.sqlite")
    _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    let database = Database(file)
    for sql in [
      "PRAGMA journal_mode = WAL", "CREATE TABLE t (a)", "PRAGMA wal_checkpoint(TRUNCATE)",
      "PRAGMA synchronous = \(mode)", "INSERT INTO t VALUES (1)",
    ] { _ = database.run(sql) }
    disk.plan([.losesPower(afterChanges: 0, .losesAll)])
    _ = database.run("INSERT INTO t VALUES (2)")
    #expect(disk.isOff)
    let next = try disk.afterPowerLoss(in: folder.appending(path: "b"))
    let left = Database(next.folder.appending(path: "x.sqlite"))
    #expect(left.run("SELECT count(*) FROM t") == rows)
    #expect(left.integrity() == "ok")
  }

  @Test func `a store opens after a loss of power while it was created`() throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let schema = Schema { Entity("Game") { Field("title", .text) } }
    var losses = 0
    var isCreated = false
    for changes in stride(from: 0, to: 1000, by: 3) where !isCreated {
      for loss in [PowerLoss.keepsAll, .losesAll, .mixes(seed: UInt64(changes))] {
        let disk = try SimulatedDisk(folder: folder.appending(path: "\(losses)a"))
        disk.plan([.losesPower(afterChanges: changes, loss)])
        let first = try? SQLiteStore(
          at: disk.folder.appending(path: "store.sqlite"), schema: schema)
        guard disk.isOff else {
          isCreated = first != nil
          continue
        }
        let next = try disk.afterPowerLoss(in: folder.appending(path: "\(losses)b"))
        let store = try SQLiteStore(
          at: next.folder.appending(path: "store.sqlite"), schema: schema)
        try store.write { try $0.insert("Game", ["title": "a"]) }
        #expect(Database(store.database).integrity() == "ok")
        losses += 1
      }
    }
    #expect(isCreated && losses > 50)
  }
}
