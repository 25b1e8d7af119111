// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore
import Foundation
import Testing

extension StoreConformance {
  static let keyPaths: [StoreCheck] = [
    StoreCheck("queries by key paths are the ones by names") { store in
      let day = Date(timeIntervalSince1970: 0)
      let query = Query(
        TypedGame.self,
        where: \.score > 2 && (\.title == "Final" || .text(\.title, .prefix("s"), .ignoringCase))
          && \.playedAt == nil,
        orderedBy: .descending(\.score), .ascending(\.id), limit: 5)
      #expect(
        query
          == Query(
            "Game",
            where: .field("score", .greaterThan, 2)
              && (.field("title", .equal, "Final") || .text("title", .prefix("s"), .ignoringCase))
              && .isNull("playedAt"), orderedBy: .descending("score"), .ascending("localId"),
            limit: 5))
      try store.write { db in
        try db.insert("Game", ["title": "Final", "score": 3])
        try db.insert("Game", ["title": "Semi", "score": 4])
        try db.insert("Game", ["title": "Semi", "score": 5, "playedAt": .date(Timestamp(day))])
      }
      try store.read { db throws in
        #expect(try db.all(query, as: TypedGame.self).map(\.title) == ["Semi", "Final"])
        #expect(try db.count(Query(TypedGame.self, where: \.playedAt <= day)) == 1)
        #expect(try db.count(Query(TypedGame.self, where: \.playedAt != nil)) == 1)
        #expect(try db.count(Query(TypedGame.self, where: !(\.title != "Semi"))) == 2)
        #expect(try db.count(Query(TypedGame.self, where: .oneOf(\.score, [3, 4]))) == 2)
        #expect(try db.count(Query(TypedGame.self, where: .among(\.league, Query("League")))) == 0)
      }
      expectStoreError(.unknownField) {
        try store.read { try $0.count(Query(TypedGame.self, where: \.rating >= 1)) }
      }
    }
  ]
}

private struct TypedGame: SyncEntity {
  static let className = "Game"
  static var fieldNames: [PartialKeyPath<TypedGame>: String] {
    [\.title: "title", \.score: "score", \.playedAt: "playedAt", \.league: "league"]
  }

  var id = LocalID()
  var title: String?
  var score: Int?
  var playedAt: Date?
  var league: Pointer?
  var rating: Double?
}
