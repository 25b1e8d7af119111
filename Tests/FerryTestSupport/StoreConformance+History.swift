// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let history: [StoreCheck] = [
    StoreCheck("history tells everyone's changes, oldest first") { store in
      let game = try store.write { try $0.insert("Game", ["title": "a"]) }
      try store.importRows("League", (0..<3).map { importRow("League", "l\($0)", [:]) })
      try store.write { try $0.update(game, ["title": "b", "rating": 1]) }
      try store.sync(.full) { try $0.set(["title": "c"], of: "Game", localID: game.localID) }
      try store.write { try $0.delete(game) }
      let changes = try store.read { try $0.changes(after: .start, limit: 100) }
      #expect(changes.map(\.kind) == [.insert, .insert, .update, .update, .delete])
      #expect(changes.map(\.author) == [.app, .sync, .app, .sync, .app])
      #expect(changes.map(\.className) == ["Game", "League", "Game", "Game", "Game"])
      #expect(changes[1].localIDs == LocalID(rawValue: 1)...LocalID(rawValue: 3))
      #expect(changes[2].fields == ["title", "rating"])
      #expect(changes[3].fields == ["title"])
      #expect(changes.map(\.token) == changes.map(\.token).sorted())
      #expect(Set(changes.map(\.token)).count == 5)
      #expect(try store.read { try $0.lastToken() } == changes[4].token)
      #expect(
        try store.read { try $0.changes(after: changes[1].token, limit: 2) }
          == Array(changes[2...3]))
      #expect(try store.read { try $0.changes(after: changes[4].token, limit: 9) }.isEmpty)
    },
    StoreCheck("an import that changes no field is no change") { store in
      let id = try store.importGame("s1", everyType)
      let token = try store.read { try $0.lastToken() }
      let newer = ServerVersion(rawValue: "2027-01-01T00:00:00.000Z")
      let row = importRow("Game", "s1", everyType, localID: id, version: newer)
      try store.importRows("Game", [row])
      #expect(try store.game(id)?.version == newer)
      #expect(try store.read { try $0.lastToken() } == token)
    },
    StoreCheck("rows imported with gaps are several runs") { store in
      let kept = try store.importRows("Game", (1...5).map { importRow("Game", "s\($0)", [:]) })
      try store.sync(.full) { try $0.remove([kept[1], kept[3]], from: "Game") }
      let token = try store.read { try $0.lastToken() }
      try store.importRows("Game", ["s2", "s6", "s4"].map { importRow("Game", $0, [:]) })
      let runs = try store.read { try $0.changes(after: token, limit: 9) }.map(\.localIDs)
      let ids = runs.flatMap { $0.lowerBound.rawValue...$0.upperBound.rawValue }
      #expect(ids.sorted() == [2, 4, 6])
    },
    StoreCheck("a reader's token moves when the reader says so") { store in
      try store.write { try $0.insert("Game", [:]) }
      let token = try store.read { try $0.lastToken() }
      let before = try store.read { try $0.token(ofReader: "list") }
      #expect(before == .start)
      try store.write { try $0.setToken(token, ofReader: "list") }
      try store.write { try $0.insert("Game", [:]) }
      #expect(try store.read { try $0.token(ofReader: "list") } == token)
      #expect(try store.read { try $0.token(ofReader: "other") } == .start)
      #expect(try store.read { try $0.changes(after: token, limit: 9) }.count == 1)
    },
    StoreCheck("history is kept for the slowest reader, for folding, and for a week") { store in
      let later = Timestamp.now.adding(milliseconds: 86_400_000)
      func prune(before time: Timestamp) throws {
        _ = try store.sync(.full) { try $0.pruneHistory(keeping: .init(since: time), limit: .max) }
      }
      func isKept(after token: HistoryToken) throws -> Bool {
        do {
          return try store.read { try $0.changes(after: token, limit: 1).count <= 1 }
        } catch let error as StoreError where error.code == .historyPruned {
          return false
        }
      }
      for _ in 0..<4 { try store.write { try $0.insert("Game", [:]) } }
      let tokens = try store.read { try $0.changes(after: .start, limit: 9) }.map(\.token)
      try prune(before: later)
      #expect(try isKept(after: .start), "not folded yet")
      try store.write { try $0.setToken(tokens[1], ofReader: "slow") }
      try store.fold()
      try prune(before: .earliest)
      #expect(try isKept(after: .start), "not old enough")
      try prune(before: later)
      #expect(try isKept(after: .start) == false)
      #expect(try isKept(after: tokens[1]), "a reader still needs it")
      #expect(
        try store.read { try $0.changes(after: tokens[1], limit: 9) }.map(\.token) == [
          tokens[2], tokens[3],
        ])
      #expect(try store.entries().count == 4, "what is unsent is in the outbox")
      #expect(try store.read { try $0.lastToken() } == tokens[3])
      try store.write { try $0.insert("Game", [:]) }
      let newest = try store.read { try $0.lastToken() }
      #expect(newest > tokens[3])
      #expect(try store.syncRead { try $0.log(after: tokens[3]) }.map(\.token) == [newest])
    },
    StoreCheck("history is dropped in parts, as many as it takes") { store in
      for _ in 0..<5 { try store.write { try $0.insert("Game", [:]) } }
      try store.fold()
      let tokens = try store.read { try $0.changes(after: .start, limit: 9) }.map(\.token)
      try store.write { try $0.insert("Game", [:]) }
      func prune() throws -> Bool {
        try store.sync(.full) { try $0.pruneHistory(keeping: .init(since: .latest), limit: 2) }
      }
      #expect(try prune())
      expectStoreError(.historyPruned) {
        try store.read { try $0.changes(after: tokens[0], limit: 9) }
      }
      #expect(try store.read { try $0.changes(after: tokens[1], limit: 9) }.count == 4)
      #expect(try prune())
      #expect(try store.read { try $0.changes(after: tokens[3], limit: 9) }.count == 2)
      #expect(try prune() == false)
      #expect(try prune() == false)
      #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.count == 6)
    },
    StoreCheck("a named reader who never comes back holds history for a limited time") { store in
      for _ in 0..<4 { try store.write { try $0.insert("Game", [:]) } }
      try store.fold()
      let tokens = try store.read { try $0.changes(after: .start, limit: 9) }.map(\.token)
      try store.write { try $0.setToken(tokens[0], ofReader: "lost") }
      try store.write { try $0.insert("Game", [:]) }
      try store.fold()
      func prune(_ retention: HistoryRetention) throws {
        _ = try store.sync(.full) { try $0.pruneHistory(keeping: retention, limit: .max) }
      }
      try prune(.init(since: .latest, newest: 1, unreadSince: .earliest))
      let held = try store.read { try $0.changes(after: tokens[0], limit: 9) }
      #expect(held.count == 4)
      try prune(.init(since: .latest, unreadSince: .latest))
      expectStoreError(.historyPruned) {
        let token = try store.read { try $0.token(ofReader: "lost") }
        _ = try store.read { try $0.changes(after: token, limit: 9) }
      }
    },
    StoreCheck("only the newest history is kept for readers without a name") { store in
      for _ in 0..<9 { try store.write { try $0.insert("Game", [:]) } }
      try store.fold()
      let tokens = try store.read { try $0.changes(after: .start, limit: 9) }.map(\.token)
      _ = try store.sync(.full) {
        try $0.pruneHistory(keeping: .init(since: .earliest, newest: 3), limit: .max)
      }
      let kept = try store.read { try $0.changes(after: tokens[5], limit: 9) }
      #expect(kept.count == 3)
      expectStoreError(.historyPruned) {
        try store.read { try $0.changes(after: tokens[4], limit: 9) }
      }
    },
    StoreCheck("a commit that changes rows is signalled") { store in
      var signals = store.changes.makeAsyncIterator()
      try await store.write { try $0.insert("Game", [:]) }
      let first = await signals.next()
      #expect(first?.classNames == ["Game"])
      #expect(first?.authors == [.app])
      #expect(first?.token == (try await store.read { try $0.lastToken() }))
      try store.sync(.full) { try $0.setBookkeeping("key", to: "1") }
      struct Stop: Error {}
      #expect(throws: Stop.self) {
        try store.write { transaction in
          try transaction.insert("League", [:])
          throw Stop()
        }
      }
      try store.importRows("League", [importRow("League", "l1", [:])])
      let second = await signals.next()
      #expect(second?.classNames == ["League"])
      #expect(second?.authors == [.sync])
    },
    StoreCheck("signals that nobody reads are united, for every listener") { store in
      var listeners = (0..<2).map { _ in store.changes.makeAsyncIterator() }
      for _ in 0..<50 { try await store.write { try $0.insert("Game", [:]) } }
      try store.importRows("League", [importRow("League", "l1", [:])])
      let token = try await store.read { try $0.lastToken() }
      for index in listeners.indices {
        let signal = await listeners[index].next()
        #expect(signal?.token == token)
        #expect(signal?.classNames == ["Game", "League"])
        #expect(signal?.authors == [.app, .sync])
      }
    },
  ]
}
