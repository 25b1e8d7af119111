// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Testing

extension StoreConformance {
  /// A value for each field of a game that an app may write.
  static let everyType: Fields = [
    "title": "Fïnal 🏆\0\"'", "score": -3, "rating": 2.5, "isOpen": true,
    "playedAt": .date(Timestamp(milliseconds: 1_772_389_800_250)),
    "league": .pointer(Pointer(className: "League", objectID: "missing")),
    "logo": .bytes([0, 255, 7]), "details": ["a": [1, .null, ["b": 2.5]], "é": "x"],
    "moves": [1, "two", .date(Timestamp(milliseconds: 5))],
    "place": .geoPoint(GeoPoint(latitude: 1.5, longitude: -2)),
    "area": .polygon([
      GeoPoint(latitude: 0, longitude: 0), GeoPoint(latitude: 0, longitude: 1),
      GeoPoint(latitude: 1, longitude: 1),
    ]),
    "poster": .file(File(name: "a.jpg", url: "https://example.com/a.jpg")),
  ]

  static let rows: [StoreCheck] = [
    StoreCheck("a row holds what was inserted, of every type") { store in
      let game = try store.write { try $0.insert("Game", everyType) }
      let row = try #require(try store.game(game.localID))
      #expect(row.fields == everyType)
      #expect(row.reference == game)
      #expect(row.createdAt == nil)
      #expect(row.version == nil)
      #expect(row.acl.isNull)
      #expect(MintedID.matches(game.objectID))
      guard case .file(let poster) = row["poster"] else { return #expect(Bool(false)) }
      #expect(poster.url == "https://example.com/a.jpg")
    },
    StoreCheck("empty text, bytes, objects and arrays are values") { store in
      let empty: Fields = ["title": "", "logo": .bytes([]), "details": [:], "moves": []]
      let game = try store.write { try $0.insert("Game", empty) }
      #expect(try store.game(game.localID)?.fields == empty.merging(["score": 0]))
    },
    StoreCheck("a field not given has its default, one given as null has none") { store in
      let (plain, cleared) = try store.write {
        (try $0.insert("Game", [:]), try $0.insert("Game", ["score": .null]))
      }
      #expect(try store.game(plain.localID)?.fields == ["score": 0])
      #expect(try store.game(cleared.localID)?.fields == [:])
    },
    StoreCheck("numbers are kept as declared") { store in
      let game = try store.write { try $0.insert("Game", ["score": 2.0, "rating": 3]) }
      let row = try store.game(game.localID)
      guard case .integer(2)? = row?.fields["score"], case .number(3)? = row?.fields["rating"]
      else {
        Issue.record("\(String(describing: row))")
        return
      }
    },
    StoreCheck("an update changes what it names and nothing else") { store in
      let game = try store.write { try $0.insert("Game", everyType) }
      try store.write { try $0.update(game, ["title": "Semi", "rating": .null]) }
      let expected = everyType.merging(["title": "Semi"]).values.filter { $0.key != "rating" }
      #expect(try store.game(game.localID)?.fields == Fields(expected))
    },
    StoreCheck("a relation takes the value that it has, and no other") { store in
      let club = try store.write { try $0.insert("Club", [:]) }
      try store.write { try $0.update(club, ["fans": .relation(className: "Fan")]) }
      for value in [Value.null, "x", .relation(className: "Game")] {
        expectStoreError(.wrongType) { try store.write { try $0.update(club, ["fans": value]) } }
      }
      let row = try store.read { try $0.record(of: "Club", localID: club.localID) }
      #expect(row?["fans"] == .relation(className: "Fan"))
    },
    StoreCheck("a deleted row is gone") { store in
      let game = try store.write { try $0.insert("Game", ["title": "x"]) }
      try store.write { try $0.delete(game) }
      #expect(try store.game(game.localID) == nil)
      #expect(try store.read { try $0.record(of: "Game", objectID: game.objectID) } == nil)
      #expect(try store.read { try $0.count(of: "Game") } == 0)
    },
    StoreCheck("a row is found by its object id") { store in
      let game = try store.write { try $0.insert("Game", ["title": "x"], objectID: "mine-1") }
      #expect(game.objectID == "mine-1")
      let found = try store.read { try $0.record(of: "Game", objectID: "mine-1") }
      #expect(found?.localID == game.localID)
      #expect(try store.read { try $0.record(of: "League", objectID: "mine-1") } == nil)
    },
    StoreCheck("a local id is never used again") { store in
      let ids = try store.write { transaction in
        let first = try transaction.insert("Game", [:])
        let second = try transaction.insert("Game", [:])
        try transaction.delete(second)
        return [first, second, try transaction.insert("Game", [:])].map(\.localID)
      }
      #expect(Set(ids).count == 3)
      try store.fold()
      #expect(try store.entries().map(\.localID) == [ids[0], ids[2]])
    },
    StoreCheck("what a row cannot hold is refused, and nothing is written") { store in
      func insert(_ className: String, _ fields: Fields, _ id: String? = nil) throws {
        try store.write { transaction in
          try transaction.insert("League", ["name": "in vain"])
          try transaction.insert(className, fields, objectID: id)
        }
      }
      expectStoreError(.unknownClass) { try insert("Cup", [:]) }
      expectStoreError(.unknownField) { try insert("Game", ["colour": 1]) }
      expectStoreError(.unknownField) { try insert("Game", ["localId": 1]) }
      expectStoreError(.wrongType) { try insert("Game", ["title": 1]) }
      expectStoreError(.wrongType) { try insert("Game", ["score": 1.5]) }
      expectStoreError(.wrongType) {
        try insert("Game", ["league": .pointer(Pointer(className: "Team", objectID: "t"))])
      }
      expectStoreError(.wrongType) { try insert("Club", ["fans": .relation(className: "Fan")]) }
      expectStoreError(.wrongType) { try insert("Game", ["rating": .number(.nan)]) }
      expectStoreError(.numberTooLarge) { try insert("Game", ["score": 9_007_199_254_740_993]) }
      expectStoreError(.numberTooLarge) {
        try insert("Game", ["details": ["a": [-9_007_199_254_740_993]]])
      }
      expectStoreError(.wrongType) { try insert("Game", [:], "") }
      _ = try store.write { try $0.insert("Game", [:], objectID: "taken") }
      expectStoreError(.duplicateObjectID) { try insert("Game", [:], "taken") }
      #expect(try store.read { try $0.count(of: "League") } == 0)
      #expect(try store.read { try $0.count(of: "Game") } == 1)
      let largest = try store.write { try $0.insert("Game", ["score": 9_007_199_254_740_992]) }
      #expect(try store.game(largest.localID)?["score"] == 9_007_199_254_740_992)
    },
    StoreCheck("a row that is not there cannot be changed") { store in
      let none = LocalID(rawValue: 99)
      expectStoreError(.noSuchRecord) { try store.write { try $0.update("Game", none, [:]) } }
      expectStoreError(.noSuchRecord) {
        try store.write { try $0.update("Game", none, ["score": 1]) }
      }
      expectStoreError(.noSuchRecord) { try store.write { try $0.delete("Game", none) } }
      expectStoreError(.unknownClass) { try store.write { try $0.delete("Cup", none) } }
      expectStoreError(.unknownClass) { try store.read { try $0.count(of: "Cup") } }
      expectStoreError(.wrongType) {
        try store.write { try $0.update($0.insert("Game", [:]), ["title": 1]) }
      }
    },
    StoreCheck("what a closure throws undoes all of it") { store in
      struct Stop: Error {}
      let game = try store.write { try $0.insert("Game", ["title": "kept"]) }
      let token = try store.read { try $0.lastToken() }
      #expect(throws: Stop.self) {
        try store.write { transaction in
          try transaction.update(game, ["title": "lost"])
          try transaction.insert("League", ["name": "lost"])
          try transaction.setToken(token, ofReader: "lost")
          #expect(try transaction.record(of: "Game", localID: game.localID)?["title"] == "lost")
          throw Stop()
        }
      }
      #expect(try store.game(game.localID)?["title"] == "kept")
      #expect(try store.read { try $0.count(of: "League") } == 0)
      #expect(try store.read { try $0.lastToken() } == token)
      #expect(try store.read { try $0.token(ofReader: "lost") } == .start)
    },
    StoreCheck("a transaction sees its own writes, a reader the last commit") { store in
      try store.write { transaction in
        try transaction.insert("Game", [:])
        #expect(try transaction.count(of: "Game") == 1)
        #expect(try store.read { try $0.count(of: "Game") } == 0)
      }
      #expect(try store.read { try $0.count(of: "Game") } == 1)
    },
    StoreCheck("a transaction inside another is refused") { store in
      try store.write { transaction in
        try transaction.insert("Game", [:])
        expectStoreError(.database) { try store.write { try $0.insert("Game", [:]) } }
      }
      #expect(try store.read { try $0.count(of: "Game") } == 1)
    },
    StoreCheck("a transaction kept beyond its closure does nothing") { store in
      var kept: (any StoreTransaction)?
      try store.write { kept = $0 }
      expectStoreError(.database) { try kept?.insert("Game", [:]) }
      var reader: (any StoreReader)?
      try store.read { reader = $0 }
      expectStoreError(.database) { try reader?.count(of: "Game") }
      #expect(try store.read { try $0.count(of: "Game") } == 0)
    },
    StoreCheck("several threads write one after another") { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for thread in 0..<4 {
          group.addTask {
            for number in 0..<25 {
              let title = Value.string("\(thread) \(number)")
              _ = try store.write { try $0.insert("Game", ["title": title]) }
              _ = try store.read { try $0.count(of: "Game") }
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.read { try $0.count(of: "Game") } == 100)
    },
    StoreCheck(making: "a schema that breaks a rule is refused") { make in
      expectStoreError(.invalidSchema) { try make(Schema { Entity("my-game") {} }) }
      expectStoreError(.invalidSchema) { try make(Schema([])) }
    },
    StoreCheck(making: "names may differ from the server's, and a class may be wide") { make in
      let wide = (0..<Schema.maximumFields).map { Field("f\($0)", .integer) }
      let store = try make(
        Schema {
          Entity("Order", table: "OrderRows") { Field("group", .text, column: "groupName") }
          Entity("_User") { Field("username", .text) }
          Entity("Wide", fields: wide)
          Entity("Bare") {}
        })
      let order = try store.write { transaction in
        try transaction.insert("_User", ["username": "me"])
        try transaction.delete(transaction.insert("Wide", ["f0": 1, "f499": 2]))
        try transaction.insert("Bare", [:])
        return try transaction.insert("Order", ["group": "a"])
      }
      try store.write { try $0.update(order, ["group": "b"]) }
      let rows = try store.read {
        try $0.records(of: "Order", where: .field("group", .equal, "b"))
      }
      #expect(rows.map(\.localID) == [order.localID])
      try store.fold()
      #expect(try store.entries().map(\.className) == ["Bare", "Order", "_User"])
    },
    StoreCheck("Swift types are written and read") { store in
      struct Game: SyncEntity, Equatable {
        var id = LocalID()
        var title: String
        var score: Int?
        var league: Pointer?
      }
      var game = Game(title: "Final", score: 2, league: nil)
      game.id = try store.write { try $0.insert(game).localID }
      #expect(try store.read { try $0.find(Game.self, game.id) } == game)
      game.score = nil
      game.league = Pointer(className: "League", objectID: "l")
      try store.write { try $0.update(game) }
      #expect(try store.game(game.id)?.fields["score"] == nil)
      #expect(
        try store.read { try $0.all(Game.self, where: .isNull("score"), limit: 5) } == [game])
      _ = try store.write { try $0.insert("Game", [:]) }
      expectStoreError(.wrongType) { try store.read { try $0.all(Game.self) } }
      try store.write { try $0.delete(game) }
      #expect(try store.read { try $0.find(Game.self, game.id) } == nil)
    },
  ]
}
