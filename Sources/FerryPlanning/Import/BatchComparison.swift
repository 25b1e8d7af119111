// Ferry: offline-first sync for Parse Server. MIT licence.

/// The outcome of comparing the rows of a batch with a store.
package struct BatchComparison: Sendable, Equatable {
  /// The rows that it did not have and inserted, by their numbers in the batch.
  package var inserted: [Int] = []
  /// The number of rows that it has as they are.
  package var same = 0
  /// The rows that it has, and that differ.
  package var matches: [BatchMatch] = []

  package init() {}

  /// Notes a row that the store has.
  package mutating func note(_ match: BatchMatch) {
    if match.isSame { same += 1 } else { matches.append(match) }
  }
}
