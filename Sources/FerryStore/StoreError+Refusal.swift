// Ferry: offline-first sync for Parse Server. MIT licence.

extension StoreError {
  /// The extent of a refusal by a rule that another program added.
  ///
  /// Nothing is wrong with the store then, and the engine goes on with everything else.
  package enum Refusal: Sendable {
    /// A CHECK, a trigger or another constraint keeps out a row, or keeps it as it is.
    case row
    /// The same, and the rule ended the whole transaction, as `RAISE(ROLLBACK)` does.
    case transaction
    /// No row of the table can be written, as where a trigger names a table that is gone.
    case table
  }

  /// A row stayed as it was, or stayed away, and no statement failed: a trigger ignores the change.
  package static func ignored(_ className: String) -> StoreError {
    refusedRow(
      "A trigger of another program ignored the change of a row of \(className). Nothing of this change "
        + "was kept. Let the trigger pass the change, or drop it.")
  }

  /// A trigger removes a row as soon as it is written.
  package static func removedAgain(_ className: String) -> StoreError {
    refusedRow(
      "A trigger of another program removed the row of \(className) as soon as it was written. Nothing was "
        + "changed. Let the trigger pass the row, or drop it.")
  }

  private static func refusedRow(_ message: String) -> StoreError {
    var error = StoreError(.database, message)
    error.refusal = .row
    error.rule = ForeignRule(.trigger)
    return error
  }
}
