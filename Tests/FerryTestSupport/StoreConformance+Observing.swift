// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation
import Synchronization
import Testing

extension StoreConformance {
  static let observing: [StoreCheck] = [
    StoreCheck("an async write is there for an async read, and an error undoes it") { store in
      let game = try await store.write { try $0.insert("Game", ["title": "a"]) }
      #expect(
        try await store.read { try $0.record(of: "Game", localID: game.localID)?["title"] } == "a")
      await #expect(throws: Stop.self) {
        try await store.write { transaction in
          try transaction.update(game, ["title": "b"])
          throw Stop()
        }
      }
      #expect(try store.titles() == ["a"])
    },
    StoreCheck("a cancelled task neither reads nor writes, whether it waits or runs") { store in
      let isHeld = Gate()
      let mayGo = Gate()
      let first = Task {
        try await store.write { transaction in
          isHeld.open()
          mayGo.wait()
          try transaction.insert("Game", ["title": "first"])
        }
      }
      await isHeld.opened()
      let waiting = Task { try await store.write { try $0.insert("Game", ["title": "waiting"]) } }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      mayGo.open()
      _ = try await first.value
      let runs = Gate()
      let endless = Task {
        try await store.write { transaction in
          try transaction.insert("Game", ["title": "running"])
          runs.open()
          while true { _ = try transaction.count(of: "Game") }
        }
      }
      await runs.opened()
      endless.cancel()
      await #expect(throws: CancellationError.self) { try await endless.value }
      let reads = Gate()
      let reading = Task {
        try await store.read { reader in
          reads.open()
          while true { _ = try reader.count(of: "Game") }
        }
      }
      await reads.opened()
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
      #expect(try store.titles() == ["first"])
    },
    StoreCheck("a task that an async access begins is not cancelled with it") { store in
      let begun = Gate()
      let mayRead = Gate()
      let inner = Mutex<Task<Int, any Error>?>(nil)
      let outer = Task {
        try await store.write { transaction in
          inner.withLock {
            $0 = Task {
              await mayRead.opened()
              return try store.syncRead { try $0.count(of: "Game") }
            }
          }
          begun.open()
          while true { _ = try transaction.count(of: "Game") }
        }
      }
      await begun.opened()
      outer.cancel()
      await #expect(throws: CancellationError.self) { try await outer.value }
      mayRead.open()
      let count = try await inner.withLock { $0 }?.value
      #expect(count == 0)
    },
    StoreCheck("an observation gives the rows at once, and after each commit that changes them") {
      store in
      let query = Query("Game", where: !.isNull("title"), orderedBy: .ascending("title"))
      var lists = store.observe(query).makeAsyncIterator()
      #expect(try await lists.next()?.isEmpty == true)
      let game = try await store.write { try $0.insert("Game", ["title": "b"]) }
      #expect(try await lists.next()?.map { $0["title"] } == ["b"])
      // Neither another class nor a row that the query leaves out gives an element.
      try await store.write { try $0.insert("League", ["name": "North"]) }
      try await store.write { try $0.insert("Game", ["score": 1]) }
      try await store.write { try $0.insert("Game", ["title": "a"]) }
      #expect(try await lists.next()?.map { $0["title"] } == ["a", "b"])
      // History does not name a row that gets its dates from the server.
      try store.sync(.full) { transaction in
        try transaction.bindRow(
          RecordKey(className: "Game", localID: game.localID), from: game.objectID,
          to: game.objectID, createdAt: createdAt)
      }
      #expect(try await lists.next()?.last?.createdAt == createdAt)
      try await store.write { try $0.delete(game) }
      #expect(try await lists.next()?.map { $0["title"] } == ["a"])
    },
    StoreCheck("an observation that nobody reads for a while gives the newest state") { store in
      var lists = store.observe(Query("Game")).differences().makeAsyncIterator()
      #expect(try await lists.next()?.difference.isEmpty == true)
      for number in 0..<40 {
        try await store.write { try $0.insert("Game", ["title": .string("\(number)")]) }
      }
      let change = try #require(try await lists.next())
      #expect(change.rows.count == 40)
      #expect(change.difference.inserted == Array(0..<40))
    },
    StoreCheck("values of the app are observed, and equal ones come once") { store in
      var counts = store.observe { try $0.count(of: "Game") }.makeAsyncIterator()
      #expect(try await counts.next() == 0)
      try await store.write { try $0.insert("League", [:]) }
      try await store.write { try $0.insert("Game", [:]) }
      #expect(try await counts.next() == 1)
    },
    StoreCheck("what cannot be observed ends the observation with its error") { store in
      var unknown = store.observe(Query("Nothing")).makeAsyncIterator()
      await expectStoreError(.unknownClass) { _ = try await unknown.next() }
      let afterUnknown = try await unknown.next()
      #expect(afterUnknown == nil)
      var field = store.observe(Query("Game", where: .isNull("colour"))).makeAsyncIterator()
      await expectStoreError(.unknownField) { _ = try await field.next() }
      var throwing = store.observe { _ -> Int in throw Stop() }.makeAsyncIterator()
      await #expect(throws: Stop.self) { try await throwing.next() }
      let afterThrowing = try await throwing.next()
      #expect(afterThrowing == nil)
    },
    StoreCheck("an observation ends with its task") { store in
      let isFirst = Gate()
      let task = Task {
        var count = 0
        for try await _ in store.observe(Query("Game")) {
          count += 1
          isFirst.open()
        }
        return count
      }
      await isFirst.opened()
      task.cancel()
      let count = try await task.value
      #expect(count == 1)
    },
  ]
}

private struct Stop: Error {}

/// Opens once; a thread or a task can wait for that.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func open() { semaphore.signal() }
  func wait() { semaphore.wait() }

  func opened() async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        self.wait()
        continuation.resume()
      }
    }
  }
}

extension SyncStore {
  fileprivate func titles() throws -> [Value] {
    try read { try $0.records(of: "Game").map { $0["title"] } }
  }
}
