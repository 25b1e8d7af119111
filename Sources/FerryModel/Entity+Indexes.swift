// Ferry: offline-first sync for Parse Server. MIT licence.

extension Entity {
  /// The same class with these indexes, and no others of Ferry's.
  ///
  /// ```swift
  /// Entity("Game") {
  ///   Field("title", .text)
  ///   Field("score", .integer)
  /// }
  /// .indexes(Index("title"), Index("score", "title"))
  /// ```
  ///
  /// A store makes and drops indexes when it opens. It drops only those that Ferry made. A class for which this is
  /// never called leaves the indexes of its table as they are; `indexes()` without an index drops them.
  ///
  /// `objectId` has an index already. `explain` of a store's reader says whether a query uses one.
  ///
  /// - Parameter indexes: The indexes, at most `Schema.maximumIndexes`.
  /// - Returns: The class with these indexes.
  public func indexes(_ indexes: Index...) -> Entity { self.indexes(indexes) }

  /// The same class with a list of indexes, and no others of Ferry's.
  public func indexes(_ indexes: [Index]) -> Entity {
    var entity = self
    entity.indexes = indexes
    return entity
  }
}
