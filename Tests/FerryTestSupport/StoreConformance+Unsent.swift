// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  static let unsent: [StoreCheck] = [
    StoreCheck("rows with unsent changes are found by state, also before a sync has seen the edits")
    { store in
      let ids = try ["a", "b", "c", "d", "e", "f", "g", "h"].map { try store.importGame($0) }
      #expect(try store.unsent() == [:])
      try store.write { db in
        for localID in ids.dropFirst() { try db.update("Game", localID, ["title": "edited"]) }
        try db.delete("Game", ids[7])
      }
      let edited = Dictionary(uniqueKeysWithValues: ids[1...6].map { ($0, UnsentState.ready) })
      #expect(try store.unsent() == edited)
      try store.fold()
      #expect(try store.unsent() == edited)
      try store.changeEntries { entry in
        switch entry.localID {
        case ids[2]: entry.begin(attempt(of: entry))
        case ids[3]:
          entry.begin(attempt(of: entry))
          entry.lose(timedOut: true)
        case ids[4]: _ = entry.wait(in: .blocked(by: .newerVersion))
        case ids[5]: _ = entry.wait(in: .parked(Refusal(reason: .refused, message: "No.")))
        case ids[6]: entry.rule = "the trigger \"keep\""
        case ids[7]: _ = entry.wait(in: .blocked(by: .confirmation("many")))
        default: break
        }
      }
      let states: [UnsentState] = [.ready, .sending, .inDoubt, .blocked, .parked, .blocked]
      #expect(try store.unsent() == Dictionary(uniqueKeysWithValues: zip(ids[1...6], states)))
      // Edits move some of them on, and a new row joins them.
      let new = try store.write { db throws in
        for localID in ids[2...5] { try db.update("Game", localID, ["score": 7]) }
        return try db.insert("Game", ["title": "new"]).localID
      }
      let later: [UnsentState] = [.ready, .sending, .inDoubt, .ready, .ready, .blocked, .ready]
      #expect(
        try store.unsent() == Dictionary(uniqueKeysWithValues: zip(ids[1...6] + [new], later)))
    },
    StoreCheck("a row that an edit leads back to what the server has is synced") { store in
      let game = try store.importGame("a", ["title": "A"])
      try store.write { try $0.update("Game", game, ["title": "edited"]) }
      for isFolded in [false, true] {
        if isFolded { try store.fold() }
        #expect(try store.unsent() == [game: .ready])
        try store.write { try $0.update("Game", game, ["title": "A"]) }
        #expect(try store.unsent() == [:])
        try store.write { try $0.update("Game", game, ["title": "edited"]) }
      }
    },
    StoreCheck("a new row of a class that only users may create waits for a login") { store in
      let game = try store.write { try $0.insert("Game", ["title": "new"]) }.localID
      let known = try store.importGame("a")
      try store.write { try $0.update("Game", known, ["title": "edited"]) }
      try store.sync(.full) {
        try $0.setBookkeeping(
          ClassNote.key(of: "Game"), to: "{\"\(ClassNote.needsLogin)\":true}")
      }
      for isFolded in [false, true] {
        if isFolded { try store.fold() }
        #expect(try store.unsent() == [game: .blocked, known: .ready])
      }
    },
    StoreCheck("the condition works within others, in a sub-query and by key paths") { store in
      let known = try store.importGame("a", ["title": "A"])
      try store.write { db in
        let league = try db.insert("League", ["name": "North"])
        try db.insert("Game", ["title": "B", "league": .pointer(league)])
        try db.update("Game", known, ["title": "C"])
      }
      func titles(_ condition: Condition) throws -> [Value] {
        try store.read { try $0.records(of: "Game", where: condition).map { $0["title"] } }
      }
      #expect(try titles(.isUnsent && .isNull("league")) == ["C"])
      #expect(try titles(.among("league", Query("League", where: .isUnsent))) == ["B"])
      #expect(try titles(.among("league", Query("League", where: !.isUnsent))) == [])
      #expect(try titles(.unsent([])) == [])
      #expect(try titles(!.unsent([.parked])) == ["C", "B"])
      #expect(TypedCondition<UnsentGame>.isUnsent.condition == .isUnsent)
      let typed = Query(UnsentGame.self, where: .unsent([.ready]) && \.title == "B")
      #expect(try store.read { try $0.count(typed) } == 1)
      expectStoreError(.unknownClass) {
        try store.read { try $0.unsentStates(of: "Nothing", localIDs: [known]) }
      }
    },
    StoreCheck("an observation follows states that change without their rows") { store in
      let game = try store.importGame("a", ["title": "A"])
      var ready = store.observe(Query("Game", where: .unsent([.ready]))).makeAsyncIterator()
      var parked = store.observe(Query("Game", where: .unsent([.parked]))).makeAsyncIterator()
      #expect(try await ready.next()?.isEmpty == true)
      #expect(try await parked.next()?.isEmpty == true)
      try await store.write { try $0.update("Game", game, ["title": "B"]) }
      #expect(try await ready.next()?.map(\.localID) == [game])
      try store.fold()
      try store.changeEntries {
        _ = $0.wait(in: .parked(Refusal(reason: .refused, message: "No.")))
      }
      #expect(try await ready.next()?.isEmpty == true)
      #expect(try await parked.next()?.map(\.localID) == [game])
      #expect(try await store.retryChange(of: "Game", localID: game))
      #expect(try await parked.next()?.isEmpty == true)
      #expect(try await ready.next()?.map(\.localID) == [game])
      // The server acknowledges the change, and the row stays as it is.
      try store.sync(.full) { try $0.removeOutboxEntry(of: "Game", localID: game) }
      #expect(try await ready.next()?.isEmpty == true)
    },
  ]

  private static func attempt(of entry: OutboxEntry) -> Attempt {
    Attempt(kind: entry.kind, sent: [:], token: entry.foldedThrough, startedAt: createdAt)
  }
}

private struct UnsentGame: SyncEntity {
  static let className = "Game"
  static let fieldsLeftOut: Set<String> = []
  static var fieldNames: [PartialKeyPath<UnsentGame>: String] { [\.title: "title"] }
  var id = LocalID()
  var title: String?
}

extension SyncStore {
  /// The states of all games, asked for by queries; a call for all of them at once says the same.
  fileprivate func unsent() throws -> [LocalID: UnsentState] {
    try read { db throws in
      var states: [LocalID: UnsentState] = [:]
      for state in UnsentState.allCases {
        for game in try db.records(of: "Game", where: .unsent([state])) {
          #expect(states.updateValue(state, forKey: game.localID) == nil)
        }
      }
      let all = try db.records(of: "Game").map(\.localID)
      #expect(try db.unsentStates(of: "Game", localIDs: all) == states)
      #expect(try db.unsentStates(of: "Game", localIDs: all.suffix(1)).count <= 1)
      #expect(try db.count(of: "Game", where: .isUnsent) == states.count)
      #expect(try db.count(of: "Game", where: !.isUnsent) == all.count - states.count)
      return states
    }
  }

  /// Changes all entries, as the engine does.
  fileprivate func changeEntries(_ body: (inout OutboxEntry) -> Void) throws {
    try sync(.full) { transaction throws(StoreError) in
      for var entry in try transaction.outbox(of: nil) {
        body(&entry)
        try transaction.put(entry)
      }
    }
  }
}
