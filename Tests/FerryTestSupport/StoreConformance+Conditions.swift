// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Testing

extension StoreConformance {
  static let conditions: [StoreCheck] = [
    StoreCheck("text matches by its start, end, part or form, with and without options") { store in
      let titles: [Value] = ["Café", "cafe", "CAFE\u{301}", "Straße", "100%", "a.b", .null]
      try store.write { db in for title in titles { try db.insert("Game", ["title": title]) } }
      func found(_ match: TextMatch, _ options: TextOptions = .exact) throws -> [Value] {
        try store.read {
          try $0.records(of: "Game", where: .text("title", match, options)).map { $0["title"] }
        }
      }
      #expect(try found(.prefix("Caf")) == ["Café"])
      #expect(try found(.suffix("é")) == ["Café"])
      #expect(try found(.equals("café"), .ignoringCase) == ["Café", "CAFE\u{301}"])
      #expect(
        try found(.equals("CAFE"), [.ignoringCase, .ignoringDiacritics]) == Array(titles.prefix(3)))
      #expect(try found(.contains("ASS"), .ignoringCase) == ["Straße"])
      #expect(try found(.like("%0\\%")) == ["100%"])
      #expect(try found(.like("_._")) == ["a.b"])
      #expect(try found(.like("c__e"), .ignoringDiacritics) == ["cafe"])
      #expect(try found(.contains("")).count == 6)
      #expect(
        try store.read { try $0.count(of: "Game", where: !.text("title", .prefix("x"))) } == 6)
    },
    StoreCheck("an array is searched for an element, and a missing one has none and lacks none") {
      store in
      try store.write { db in
        try db.insert("Game", ["title": "a", "moves": [1, "x", ["k": 2.0]]])
        try db.insert("Game", ["title": "b", "moves": []])
        try db.insert("Game", ["title": "c"])
      }
      func found(_ condition: Condition) throws -> [Value] {
        try store.read { try $0.records(of: "Game", where: condition).map { $0["title"] } }
      }
      #expect(try found(.contains("moves", 1.0)) == ["a"])
      #expect(try found(.contains("moves", ["k": 2])) == ["a"])
      #expect(try found(.contains("moves", "y")) == [])
      #expect(try found(!.contains("moves", "y")) == ["a", "b"])
    },
    StoreCheck("places are found within a distance and in a box, also across the date line") {
      store in
      let places: [(String, Double, Double)] = [
        ("Berlin", 52.52, 13.405), ("Potsdam", 52.39, 13.065), ("Fiji", -17.7, 178.0),
        ("Samoa", -13.8, -171.8),
      ]
      try store.write { db in
        for (title, latitude, longitude) in places {
          let place = GeoPoint(latitude: latitude, longitude: longitude)
          try db.insert("Game", ["title": .string(title), "place": .geoPoint(place)])
        }
        try db.insert("Game", ["title": "nowhere"])
      }
      func found(_ area: GeoArea) throws -> [Value] {
        try store.read {
          try $0.records(of: "Game", where: .within("place", area)).map { $0["title"] }
        }
      }
      let berlin = GeoPoint(latitude: 52.52, longitude: 13.405)
      #expect(try found(.circle(around: berlin, kilometres: 25)) == ["Berlin"])
      #expect(try found(.circle(around: berlin, kilometres: 30)) == ["Berlin", "Potsdam"])
      #expect(try found(.circle(around: berlin, kilometres: 0)) == ["Berlin"])
      let west = GeoPoint(latitude: -20, longitude: 170)
      let east = GeoPoint(latitude: -10, longitude: -170)
      #expect(try found(.box(southWest: west, northEast: east)) == ["Fiji", "Samoa"])
      #expect(try found(.box(southWest: east, northEast: west)) == [])
    },
    StoreCheck("conditions and orders go along pointers, and a row that is not there has no value")
    { store in
      try store.write { db in
        let top = try db.insert("League", ["name": "top"])
        let north = try db.insert("League", ["name": "north", "parent": .pointer(top)])
        try db.insert("Game", ["title": "a", "league": .pointer(north)])
        try db.insert("Game", ["title": "b", "league": .pointer(top)])
        try db.insert(
          "Game",
          ["title": "c", "league": .pointer(Pointer(className: "League", objectID: "none"))])
        try db.insert("Game", ["title": "d"])
      }
      func found(_ condition: Condition?, _ order: SortOrder...) throws -> [Value] {
        try store.read {
          try $0.records(Query("Game", where: condition, orderedBy: order)).map { $0["title"] }
        }
      }
      #expect(try found(.field("league.name", .equal, "north")) == ["a"])
      #expect(try found(.field("league.parent.name", .equal, "top")) == ["a"])
      #expect(try found(.isNull("league.name")) == ["c", "d"])
      #expect(try found(!.field("league.name", .equal, "north")) == ["b"])
      #expect(
        try found(nil, .descending("league.name"), .descending("title")) == ["b", "a", "d", "c"])
      #expect(try found(.text("league.name", .prefix("T"), .ignoringCase)) == ["b"])
    },
    StoreCheck(
      "a pointer leads to its row under the row's new id, and not by one that was replaced"
    ) {
      store in
      let league = try store.write { db in
        let league = try db.insert("League", ["name": "n"])
        try db.insert("Game", ["title": "a", "league": .pointer(league)])
        return league
      }
      try store.sync(.full) { db in
        try db.fold()
        try db.acknowledgeCreate(
          of: "League", localID: league.localID, objectID: "l1", createdAt: createdAt)
      }
      // The reference from before names the old id, and no sync has rewritten this pointer yet.
      try store.write { try $0.insert("Game", ["title": "b", "league": .pointer(league)]) }
      let found = try store.read {
        try $0.records(of: "Game", where: .field("league.name", .equal, "n"))
      }
      #expect(found.map { $0["title"] } == ["a"])
    },
    StoreCheck("a sub-query decides which rows are found") { store in
      try store.write { db in
        for (place, name) in ["n", "s", "w"].enumerated() {
          let league = try db.insert("League", ["name": .string(name)])
          if place < 2 {
            try db.insert("Game", ["title": .string(name), "league": .pointer(league)])
          }
        }
        try db.insert("Game", ["title": "w"])
      }
      func found(_ query: Query) throws -> [Value] {
        try store.read {
          try $0.records(query).map { query.className == "Game" ? $0["title"] : $0["name"] }
        }
      }
      let first = Query("League", orderedBy: .ascending("name"), limit: 1)
      #expect(try found(Query("Game", where: .among("league", first))) == ["n"])
      #expect(try found(Query("Game", where: !.among("league", first))) == ["s"])
      #expect(
        try found(Query("League", where: .among("objectId", Query("Game"), of: "league"))) == [
          "n", "s",
        ])
      // The game without a league makes no result unknown.
      #expect(
        try found(Query("League", where: !.among("objectId", Query("Game"), of: "league"))) == ["w"]
      )
      #expect(
        try found(Query("Game", where: .among("title", Query("League"), of: "name"))) == [
          "n", "s", "w",
        ])
      #expect(
        try found(
          Query("Game", where: .among("league.name", Query("League", limit: 2), of: "name"))) == [
            "n", "s",
          ])
    },
    StoreCheck("a query that cannot be carried out is refused, and says why") { store in
      func ask(_ condition: Condition?, _ order: SortOrder...) throws {
        _ = try store.read { try $0.records(Query("Game", where: condition, orderedBy: order)) }
      }
      expectStoreError(.wrongType) { try ask(.text("score", .prefix("1"))) }
      expectStoreError(.wrongType) { try ask(.contains("title", "x")) }
      expectStoreError(.wrongType) {
        try ask(
          .within("area", .circle(around: GeoPoint(latitude: 0, longitude: 0), kilometres: 1)))
      }
      expectStoreError(.wrongType) { try ask(.isNull("title.name")) }
      expectStoreError(.unknownField) { try ask(.isNull("league.colour")) }
      expectStoreError(.unknownField) { try ask(.isNull("league.")) }
      expectStoreError(.unknownField) { try ask(.isNull(".name")) }
      expectStoreError(.wrongType) { try ask(nil, .ascending("league.games")) }
      expectStoreError(.unknownClass) { try ask(.among("league", Query("Nothing"))) }
      expectStoreError(.unknownField) { try ask(.among("league", Query("League"), of: "colour")) }
      expectStoreError(.wrongType) { try ask(.among("league", Query("Game"))) }
      expectStoreError(.wrongType) { try ask(.among("title", Query("Game"), of: "score")) }
      expectStoreError(.wrongType) { try ask(.among("moves", Query("League"), of: "games")) }
      let path = "league." + String(repeating: "parent.", count: 8) + "name"
      expectStoreError(.queryTooLarge) { try ask(.isNull(path)) }
      expectStoreError(.queryTooLarge) {
        try ask(.oneOf("title", Array(repeating: "x", count: 30_001)))
      }
      expectStoreError(.queryTooLarge) {
        try ask(.all((0..<501).map { .field("score", .equal, .integer($0)) }))
      }
      expectStoreError(.queryTooLarge) {
        try ask((0..<21).reduce(.isNull("title")) { inner, _ in !inner })
      }
    },
    StoreCheck("the largest queries that are allowed are carried out") { store in
      try store.write { try $0.insert("Game", ["title": "x"]) }
      func count(_ condition: Condition) throws -> Int {
        try store.read { try $0.records(Query("Game", where: condition)).count }
      }
      let path = "league." + String(repeating: "parent.", count: 7) + "name"
      let deep = (0..<20).reduce(.isNull(path)) { (inner: Condition, place) in
        place % 2 == 0 ? .field("title", .equal, "y") || inner : !inner
      }
      _ = try count(deep)
      var nested = Condition.text(path.replacing("league.", with: "parent."), .prefix("x"))
      for level in 0..<4 {
        let query = Query(
          level == 3 ? "League" : "League", where: nested, orderedBy: .ascending("parent.name"),
          limit: 3)
        nested = .among(
          level == 3 ? path.replacing("name", with: "objectId") : "parent.objectId", query)
      }
      #expect(try count(nested) == 0)
      #expect(try count(.all((0..<500).map { _ in .isNull("rating") })) == 1)
      #expect(
        try count((0..<499).reduce(.isNull("rating")) { inner, _ in inner && .isNull("rating") })
          == 1)
      #expect(try count(.oneOf("title", Array(repeating: "x", count: 30_000))) == 1)
    },
    StoreCheck("an observed query follows the other classes that it reads") { store in
      let (north, south) = try await store.write { db in
        let leagues = (
          try db.insert("League", ["name": "n"]), try db.insert("League", ["name": "s"])
        )
        try db.insert("Game", ["title": "a", "league": .pointer(leagues.0)])
        try db.insert("Game", ["title": "b", "league": .pointer(leagues.1)])
        return leagues
      }
      var sorted = store.observe(Query("Game", orderedBy: .ascending("league.name")))
        .makeAsyncIterator()
      let small = Query("League", where: .field("name", .lessThan, "o"))
      var among = store.observe(Query("Game", where: .among("league", small))).makeAsyncIterator()
      #expect(try await sorted.next()?.map { $0["title"] } == ["a", "b"])
      #expect(try await among.next()?.map { $0["title"] } == ["a"])
      // Neither another class nor a change that moves nothing gives an element.
      try await store.write { try $0.insert("Club", [:]) }
      try await store.write { try $0.update(south, ["name": "t"]) }
      try await store.write { try $0.update(north, ["name": "z"]) }
      #expect(try await sorted.next()?.map { $0["title"] } == ["b", "a"])
      #expect(try await among.next()?.isEmpty == true)
    },
  ]
}
