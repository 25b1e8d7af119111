// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryStore
package import Testing

/// Holds an observed query against the query itself, after each step of a world.
package struct QueryWatcher {
  /// Queries of games, with and without conditions, orders, limits and offsets.
  static var all: [QueryWatcher] {
    [
      Query("Game"),
      Query(
        "Game", where: .field("title", .equal, "t1"), orderedBy: .descending("rating")),
      Query(
        "Game", where: !.isNull("rating"), orderedBy: .ascending("title"), .descending("objectId")),
      Query("Game", where: .isNull("createdAt") || .field("rating", .greaterThan, 1)),
      Query("Game", orderedBy: .ascending("title"), limit: 3),
      Query("Game", orderedBy: .ascending("rating"), limit: 2, offset: 1),
      Query("League"),
      Query("Game", where: .text("title", .contains("1")), orderedBy: .ascending("title")),
      Query("Game", orderedBy: .descending("league.name")),
      Query("Game", where: .isUnsent, orderedBy: .ascending("title")),
      Query("Game", where: !.isUnsent, orderedBy: .ascending("title"), limit: 4),
      Query(
        "Game", where: .among("league", Query("League", orderedBy: .descending("name"), limit: 2))),
    ].map(QueryWatcher.init)
  }

  private let query: Query
  private var look: QueryLook
  private var shown: [Record]?

  package init(_ query: Query) {
    self.query = query
    look = QueryLook(query)
  }

  /// Looks once.
  ///
  /// - Returns: Whether the observation gave a list.
  @discardableResult
  package mutating func check(_ store: any SyncStore, _ comment: Comment) throws -> Bool {
    var look = look
    let (list, present) = try store.syncRead { reader in
      (try look.next(in: reader), try reader.records(query))
    }
    self.look = look
    if let list {
      #expect(list == present, comment)
      #expect(list != shown, comment)
      let difference = ListDifference(from: shown ?? [], to: list, identifiedBy: \.localID)
      #expect(difference.applied(to: shown ?? [], taking: list) == list, comment)
    } else {
      #expect(shown == present, comment)
    }
    shown = present
    return list != nil
  }
}
