// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Finds where to break a circle of records that point at one another.
package enum Cycles {
  /// Follows a chain of pointers to a circle, and breaks the circle at its oldest record.
  ///
  /// Breaking the circle there frees the records after it. So records that merely point into a
  /// circle are sent completely.
  ///
  /// - Parameters:
  ///   - start: A record that waits for others.
  ///   - parents: The records for which a record waits.
  /// - Returns: The oldest record, without its pointers to records that are not created yet; nil if the
  ///   chain ends.
  /// - Throws: The error of `parents`.
  package static func opener<Failure: Error>(
    from start: RecordKey,
    parents: (RecordKey) throws(Failure) -> [UnsentPointerTargets.Parent]
  ) throws(Failure) -> UploadPlanner.Write? {
    var chain: [RecordKey] = []
    var places: [RecordKey: Int] = [:]
    var next = start
    while places[next] == nil {
      places[next] = chain.count
      chain.append(next)
      guard let parent = try parents(next).first else { return nil }
      next = parent.key
    }
    guard let oldest = chain.dropFirst(places[next] ?? 0).min() else { return nil }
    return UploadPlanner.Write(key: oldest, withheld: Set(try parents(oldest).map(\.field)))
  }
}
