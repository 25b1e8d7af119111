// Ferry: offline-first sync for Parse Server. MIT licence.

/// The effects of an import on the rows of a batch that the store had.
package struct BatchPlan: Equatable {
  /// The rows to overwrite completely.
  package var overwritten: [BatchMatch] = []
  /// Rows that only the plan of a record decides, by their numbers in the batch.
  package var undecided: [Int] = []
  /// The number of records that equal their local rows.
  package var unchanged = 0
  package var actions: [SyncAction] = []

  package init() {}
}
