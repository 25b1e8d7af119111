// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
import Testing

@testable import FerrySQLite

/// Neither the store nor another program keeps the other from writing.
@Suite(.timeLimit(.minutes(2)))
struct StarvationTests {
  /// Another program that writes in one transaction after another.
  private final class RestlessProgram: Sendable {
    private let isOver = Atomic(false)
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ path: String) throws {
      let connection = try SQLiteConnection(path: path, for: .writing)
      Thread.detachNewThread { [self] in
        while !isOver.load(ordering: .relaxed) {
          guard (try? connection.execute("BEGIN IMMEDIATE")) != nil else { continue }
          Thread.sleep(forTimeInterval: 0.03)
          try? connection.execute("COMMIT")
          // The time to make the next statement.
          usleep(200)
        }
        hasEnded.signal()
      }
    }

    func stop() {
      isOver.store(true, ordering: .relaxed)
      hasEnded.wait()
    }
  }

  @Test func `a program that writes without a pause does not keep the store from writing`() throws {
    let world = try TestWorld()
    let program = try RestlessProgram(world.store.files.database)
    defer { program.stop() }
    for number in 1...8 {
      // The other program goes on meanwhile.
      Thread.sleep(forTimeInterval: 0.05)
      try world.store.write { _ = try $0.insert("Game", ["title": .string("game \(number)")]) }
    }
    #expect(try world.store.read { try $0.count(of: "Game") } == 8)
  }

  @Test func `long transactions of the engine do not keep other programs from writing`() throws {
    let world = try TestWorld()
    let hasEnded = Atomic(false)
    let shell = Mutex<String?>(nil)
    let group = DispatchGroup()
    group.enter()
    let path = world.url.path(percentEncoded: false)
    Thread.detachNewThread {
      Thread.sleep(forTimeInterval: 0.1)
      do {
        _ = try ForeignProgram(path: path).run(["INSERT INTO Game (title) VALUES ('foreign')"])
      } catch {
        shell.withLock { $0 = "\(error)" }
      }
      hasEnded.store(true, ordering: .relaxed)
      group.leave()
    }
    let start = Date.now
    while !hasEnded.load(ordering: .relaxed), start.timeIntervalSinceNow > -20 {
      try world.store.sync(.normal) {
        try $0.setBookkeeping("key", to: "{}"); Thread.sleep(forTimeInterval: 0.31)
      }
    }
    group.wait()
    #expect(shell.withLock { $0 } == nil)
  }
}
