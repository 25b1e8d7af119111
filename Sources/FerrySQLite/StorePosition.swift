// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

/// The counts of a store at the beginning of a transaction, read at once because each transaction needs them.
struct StorePosition {
  /// How often fields went to other columns.
  let moves: Int64
  /// How often the fields of the database changed.
  let fieldChanges: Int64
  /// The newest change in history.
  let lastToken: Int64
  /// The format of Ferry's tables.
  let format: Int64
}

extension SQLiteConnection {
  /// The counts in the open transaction.
  func position() throws(StoreError) -> StorePosition {
    let position = try statement(
      """
      SELECT (SELECT value FROM ferry_meta WHERE key = 'moves'),
        (SELECT value FROM ferry_meta WHERE key = 'fieldChanges'), (SELECT max(token) FROM ferry_log),
        (SELECT value FROM ferry_meta WHERE key = 'format')
      """
    ).first {
      StorePosition(
        moves: $0.integer(0), fieldChanges: $0.integer(1), lastToken: $0.integer(2),
        format: $0.integer(3))
    }
    return position ?? StorePosition(moves: 0, fieldChanges: 0, lastToken: 0, format: 0)
  }

  /// The layout at a position, with the fields that other programs have declared since.
  ///
  /// Columns that fields have left since the store was opened are refused: an edit of them would be lost. So is a
  /// newer format: this program does not know its rules.
  func present(
    _ layout: SchemaLayout, at position: StorePosition, since moveCount: Int64, _ format: Int64
  ) throws(StoreError) -> SchemaLayout {
    guard position.format <= format else {
      throw StoreError(
        .newerFormat,
        "A newer version of Ferry has opened the store since, and brought its file from format \(format) to "
          + "\(position.format). Nothing was read or written. Update this program, and open the store again."
      )
    }
    guard position.moves != moveCount else {
      guard position.fieldChanges != layout.fieldChanges else { return layout }
      return try SchemaInstallation(connection: self)
        .refreshed(layout, fieldChanges: position.fieldChanges)
    }
    throw StoreError(
      .invalidSchema,
      "Another program has opened the store since, with a schema that keeps a field in another column. "
        + "Nothing was read or written. Give both programs the same columns, and open the store again."
    )
  }
}
