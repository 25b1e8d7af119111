// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryModel
import FerryStore

/// The name of the SQL function that compares two JSON texts by meaning.
///
/// It ignores the order of keys, and compares numbers by value and files by name. Only Ferry's own
/// statements may use it, not triggers or views of other programs.
let meaningfulEquality = "ferry_equal"

/// Registers the function with a connection.
func addMeaningfulEquality(to connection: SQLiteConnection) throws(StoreError) {
  let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
  try connection.check(
    sqlite3_create_function_v2(
      connection.handle, meaningfulEquality, 2, flags, nil,
      { context, _, arguments in
        guard let arguments, let left = sqlite3_value_text(arguments[0]),
          let right = sqlite3_value_text(arguments[1])
        else { return sqlite3_result_null(context) }
        let leftText = String(cString: left)
        let rightText = String(cString: right)
        let isEqual =
          if let leftValue = Value(wireJSON: leftText), let rightValue = Value(wireJSON: rightText)
          { leftValue == rightValue } else { leftText == rightText }
        sqlite3_result_int(context, isEqual ? 1 : 0)
      }, nil, nil, nil))
}
