// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Foundation
import Synchronization
import Testing

extension StoreConformance {
  static let historyReading: [StoreCheck] = [
    StoreCheck("history tells transactions, filtered by author, class and record") { store in
      let game = try store.write { db in
        try db.insert("League", ["name": "North"])
        return try db.insert("Game", ["title": "a"])
      }
      try store.importRows("League", (0..<3).map { importRow("League", "l\($0)", [:]) })
      try store.write { db in
        try db.update(game, ["title": "b"])
        try db.update(game, ["rating": 1])
      }
      func read(_ filter: HistoryFilter) throws -> HistoryPage {
        try store.read { try $0.transactions(after: .start, matching: filter, limit: 100) }
      }
      let all = try read(HistoryFilter())
      #expect(all.transactions.map(\.changes.count) == [2, 1, 2])
      #expect(all.transactions.map(\.authors) == [[.app], [.sync], [.app]])
      #expect(all.transactions.allSatisfy { $0.time != nil && !$0.isUndo && !$0.isUndone })
      let last = try store.read { try $0.lastToken() }
      #expect(all.through == last && !all.hasMore)
      let synced = try read(HistoryFilter(authors: [.sync]))
      #expect(synced.transactions.map(\.classNames) == [["League"]])
      #expect(synced.through == last)
      let games = try read(HistoryFilter(classNames: ["Game"]))
      #expect(games.transactions.map(\.changes.count) == [1, 2])
      #expect(try read(.record(game)).transactions == games.transactions)
      #expect(try read(HistoryFilter(classNames: ["Unknown"])).transactions.isEmpty)
      var pages: [HistoryTransaction] = []
      var token = HistoryToken.start
      while true {
        let page = try store.read {
          try $0.transactions(after: token, matching: HistoryFilter(), limit: 1)
        }
        #expect(page.transactions.count == 1)
        pages += page.transactions
        token = page.through
        if !page.hasMore { break }
      }
      #expect(pages == all.transactions)
    },
    StoreCheck("history tells its newest transactions first, as many as are asked for") { store in
      let game = try store.write { try $0.insert("Game", ["title": "a"]) }
      try store.importRows("League", (0..<3).map { importRow("League", "l\($0)", [:]) })
      // More changes than a first look takes, and then small transactions.
      try store.write { db in for _ in 0..<700 { try db.insert("League", [:]) } }
      for number in Int64(0)..<400 {
        try store.write { try $0.update(game, ["rating": .integer(number)]) }
      }
      try store.write { db in for _ in 0..<300 { try db.insert("League", [:]) } }
      func newest(
        _ limit: Int, before token: HistoryToken? = nil, _ filter: HistoryFilter = HistoryFilter()
      ) throws -> [HistoryTransaction] {
        try store.read { try $0.transactions(before: token, matching: filter, limit: limit) }
      }
      let filters = [
        HistoryFilter(), HistoryFilter(authors: [.sync]), .record(game),
        HistoryFilter(classNames: ["League"]), HistoryFilter(classNames: ["Unknown"]),
      ]
      for filter in filters {
        let all = try store.read {
          try $0.transactions(
            after: $0.historyExtent().prunedThrough, matching: filter, limit: .max)
        }.transactions
        #expect(try newest(.max, before: nil, filter) == all.reversed())
        #expect(try newest(3, before: nil, filter) == all.suffix(3).reversed())
        #expect(try newest(0, before: nil, filter) == all.suffix(1).reversed(), "at least one")
        var paged: [HistoryTransaction] = []
        while true {
          let page = try newest(150, before: paged.last?.token, filter)
          paged += page
          if page.count < 150 { break }
        }
        #expect(paged == all.reversed())
      }
      let last = try store.read { try $0.lastToken() }
      #expect(try newest(9, before: .start).isEmpty)
      #expect(try newest(1, before: HistoryToken(rawValue: .max)).first?.token == last)
      try store.fold()
      _ = try store.sync(.full) {
        try $0.pruneHistory(keeping: .init(since: .latest, unreadSince: .latest), limit: .max)
      }
      let kept = try store.read { try $0.historyExtent().prunedThrough }
      #expect(kept > .start)
      #expect(try newest(.max).allSatisfy { $0.token > kept }, "what is dropped is left out")
    },
    StoreCheck("any change leads to its whole transaction") { store in
      let (game, tokens) = try store.write { db throws(StoreError) in
        let game = try db.insert("Game", ["title": "a"])
        let first = try db.lastToken()
        try db.update(game, ["title": "b"])
        return (game, [first, try db.lastToken()])
      }
      _ = try store.importGame("known", ["title": "Known"])
      let whole = try store.read {
        try $0.transactions(after: .start, matching: .record(game), limit: 9)
      }
      .transactions
      #expect(whole.count == 1 && whole.first?.changes.count == 2)
      for token in tokens {
        #expect(try store.read { try $0.transaction(of: token) } == whole.first)
      }
      let last = try store.read { try $0.lastToken() }
      #expect(try store.read { try $0.transaction(of: last) }?.authors == [.sync])
      for token in [.start, HistoryToken(rawValue: -1), HistoryToken(rawValue: .max)] {
        #expect(try store.read { try $0.transaction(of: token) } == nil)
      }
      try store.fold()
      _ = try store.sync(.full) {
        try $0.pruneHistory(keeping: .init(since: .latest, unreadSince: .latest), limit: .max)
      }
      expectStoreError(.historyPruned) { try store.read { try $0.transaction(of: tokens[0]) } }
    },
    StoreCheck("a transaction tells the values of the app's edits, netted and one by one") {
      store in
      let known = try store.importGame("a", ["title": "A", "rating": 1])
      try store.write { db in
        try db.update("Game", known, ["title": "B"])
        try db.update("Game", known, ["title": "C"])
        let passing = try db.insert("Game", ["title": "passing"])
        try db.delete(passing)
      }
      try store.write { try $0.update("Game", known, ["title": "D"]) }
      let page = try store.read {
        try $0.transactions(after: .start, matching: HistoryFilter(authors: [.app]), limit: 9)
      }
      let first = try #require(page.transactions.first)
      let net = try store.read { try $0.edits(of: first) }
      #expect(net.map(\.kind) == [.update])
      #expect(net.map(\.before) == [["title": "A"]])
      #expect(net.map(\.after) == [["title": "C"]])
      #expect(net.map(\.record.objectID) == ["a"])
      let single = try store.read { try $0.edits(of: first.changes) }
      let steps = first.changes.compactMap { single[$0.token] }
      #expect(steps.map(\.kind) == [.update, .update, .insert, .delete])
      #expect(steps.map { $0.before["title"] } == ["A", "B", nil, "passing"])
      #expect(steps.map { $0.after["title"] } == ["B", "C", "passing", nil])
    },
    StoreCheck("a named reader gets each transaction once, and moves when it says so") { store in
      let reader = store.historyReader("index", matching: HistoryFilter(classNames: ["Game"]))
      try store.write { try $0.insert("Game", ["title": "a"]) }
      try store.write { try $0.insert("League", ["name": "n"]) }
      try store.write { try $0.insert("Game", ["title": "b"]) }
      let first = try reader.unread(limit: 1)
      #expect(first.transactions.count == 1 && first.hasMore)
      #expect(try reader.unread(limit: 1) == first, "nothing is merged yet")
      try reader.markMerged(first)
      let second = try reader.unread()
      #expect(second.transactions.count == 1 && !second.hasMore)
      try reader.markMerged(second)
      try reader.markMerged(first)
      #expect(try reader.unread().transactions.isEmpty)
      let extent = try store.read { try $0.historyExtent() }
      #expect(extent.readers == ["index": second.through])
      #expect(extent.last == second.through && extent.count == extent.last.rawValue)
      #expect(extent.since != nil)
      try reader.remove()
      #expect(try store.read { try $0.historyExtent() }.readers.isEmpty)
    },
    StoreCheck("a reader that was away too long is told, and begins afresh") { store in
      for _ in 0..<3 { try store.write { try $0.insert("Game", [:]) } }
      let reader = store.historyReader("lost")
      try reader.markMerged(try reader.unread(limit: 1))
      try store.fold()
      try store.write { try $0.insert("Game", [:]) }
      _ = try store.sync(.full) {
        try $0.pruneHistory(
          keeping: .init(since: .latest, unreadSince: .latest), limit: .max)
      }
      expectStoreError(.historyPruned) { try reader.unread() }
      #expect(throws: CancellationError.self) {
        try reader.startOver { _ in throw CancellationError() }
      }
      expectStoreError(.historyPruned) { try reader.unread() }
      var count = 0
      try reader.startOver { count = try $0.count(of: "Game") }
      #expect(count == 4)
      #expect(try reader.unread().transactions.isEmpty)
      try store.write { try $0.insert("Game", [:]) }
      #expect(try reader.unread().transactions.count == 1)
    },
    StoreCheck("a position behind the end of history is refused") { store in
      try store.write { try $0.insert("Game", [:]) }
      let reader = store.historyReader("index")
      var page = try reader.unread()
      page.through.rawValue += 1
      expectStoreError(.historyPruned) { try reader.markMerged(page) }
      expectStoreError(.historyPruned) {
        try store.read {
          try $0.transactions(after: page.through, matching: HistoryFilter(), limit: 1)
        }
      }
      #expect(try reader.unread().transactions.count == 1)
    },
    StoreCheck("a reader waits for commits, and misses none") { store in
      try await store.write { try $0.insert("Game", ["title": "a"]) }
      let reader = store.historyReader("index", matching: HistoryFilter(classNames: ["Game"]))
      var pages = reader.pages(limit: 1).makeAsyncIterator()
      #expect(try await pages.next()?.transactions.count == 1)
      try await store.write { try $0.insert("Game", ["title": "b"]) }
      try await store.write { try $0.insert("Game", ["title": "c"]) }
      let next = try #require(try await pages.next())
      try await reader.markMerged(next)
      #expect(try await pages.next()?.transactions.count == 1, "full pages follow at once")
      try await store.write { try $0.insert("League", ["name": "n"]) }
      try await store.write { try $0.insert("Game", ["title": "d"]) }
      #expect(try await pages.next()?.transactions.map(\.classNames) == [["Game"]])
      #expect(try await store.read { try $0.token(ofReader: "index") } == next.through)
    },
    StoreCheck("a reader whose filter lets nothing pass does not hold history") { store in
      let reader = store.historyReader("games", matching: HistoryFilter(classNames: ["Game"]))
      let task = Task {
        for try await page in reader.pages() {
          for change in page.transactions.flatMap(\.changes) where change.kind == .delete { return }
          try await reader.markMerged(page)
        }
      }
      let game = try await store.write { db in
        for _ in 0..<1001 { try db.insert("League", [:]) }
        return try db.insert("Game", [:])
      }
      func reaches(_ isReached: (HistoryToken) -> Bool) async throws -> Bool {
        for _ in 0..<500 {
          if isReached(try await store.read { try $0.token(ofReader: "games") }) { return true }
          try await Task.sleep(for: .milliseconds(10))
        }
        return false
      }
      let first = try await store.read { try $0.lastToken() }
      #expect(try await reaches { $0 == first })
      try await store.write { db in for _ in 0..<1001 { try db.insert("League", [:]) } }
      let second = try await store.read { try $0.lastToken() }
      #expect(try await reaches { $0 == second })
      try await store.write { try $0.delete(game) }
      try await task.value
      #expect(try await store.read { try $0.token(ofReader: "games") } == second)
    },
    StoreCheck("a reader that is removed while it reads stays removed") { store in
      for isMarked in [false, true] {
        let reader = store.historyReader("index\(isMarked)")
        try await store.write { try $0.insert("Game", [:]) }
        var pages = reader.pages().makeAsyncIterator()
        let page = try #require(try await pages.next())
        if isMarked { try await reader.markMerged(page) }
        #expect(try await readerCount(of: store) == 1)
        try remove(reader)
        try await store.write { try $0.insert("Game", [:]) }
        await expectStoreError(.readerRemoved) { try await pages.next() }
        await expectStoreError(.readerRemoved) { try await reader.markMerged(page) }
        #expect(try await readerCount(of: store) == 0)
        // It is a new one when it begins again.
        var again = reader.pages().makeAsyncIterator()
        #expect(try await again.next()?.transactions.first == page.transactions.first)
        #expect(try await readerCount(of: store) == 1)
        await expectStoreError(.readerRemoved) {
          try await reader.startOver { _ in try remove(reader) }
        }
        #expect(try await readerCount(of: store) == 0)
      }
    },
    StoreCheck("a reader that starts over holds up no writes") { store in
      let (started, start) = AsyncStream.makeStream(of: Void.self)
      let written = DispatchSemaphore(value: 0)
      let isWritten = Mutex(false)
      let reading = Task {
        try await store.historyReader("index").startOver { _ in
          start.yield()
          let isInTime = written.wait(timeout: .now() + 5) == .success
          isWritten.withLock { $0 = isInTime }
        }
      }
      for await _ in started { break }
      try await store.write { try $0.insert("Game", [:]) }
      written.signal()
      try await reading.value
      #expect(isWritten.withLock { $0 })
    },
  ]

  private static func readerCount(of store: any Store) async throws -> Int {
    let extent = try await store.read { try $0.historyExtent() }
    return extent.readers.count
  }

  private static func remove(_ reader: HistoryReader) throws { try reader.remove() }
}
