// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite
import FerryStore

/// A failed call of SQLite; the cause of a `StoreError`.
struct SQLiteError: Error, Hashable, CustomStringConvertible {
  var code: SQLiteResultCode
  /// SQLite's own message.
  var message: String

  /// Describes the failure of the last call on a connection.
  init(_ code: SQLiteResultCode, on handle: OpaquePointer?) {
    let extended = handle.map { SQLiteResultCode(rawValue: sqlite3_extended_errcode($0)) }
    self.code = extended?.primary == code.primary ? extended ?? code : code
    message =
      handle.flatMap(sqlite3_errmsg).map { String(cString: $0) }
      ?? String(cString: sqlite3_errstr(code.rawValue))
  }

  var description: String { "SQLite \(code.rawValue): \(message)" }

  /// The error for callers: what happened, what became of the data, what to do next.
  var storeError: StoreError {
    var error = explained
    error.refusal =
      switch code {
      // A trigger may also fail for the values of one row.
      case .constraint, .mismatch, .tooBig: .row
      // SQLite has no other code for a trigger that cannot run, or for a column that is gone.
      case .error: .table
      default: nil
      }
    if error.refusal == .row {
      error.rule = ForeignRule(code == .constraintTrigger ? .trigger : .constraint, message)
    }
    return error
  }

  /// The fate of a damaged file, and the remedy.
  static let remedyForDamage =
    "It was not changed. Restore a copy of it, or move it away and sync into a new store. Changes that were not "
    + "sent are in the moved file alone."

  private var explained: StoreError {
    switch code {
    case .full, .ioErrorSharedMemorySize:
      StoreError(
        .diskFull,
        "There is no room left on the disk. Nothing of this change was kept, and what was stored "
          + "before is untouched. Free some space and try again.", cause: self)
    case .corrupt, .notADatabase:
      StoreError(
        .damaged,
        "The store's file is not a database or is damaged (\(message)). "
          + Self.remedyForDamage, cause: self)
    case .busy, .locked:
      StoreError(
        .busy,
        "Another program is writing to the store's database and did not finish in time. The last change of this "
          + "program was not kept; everything before it was. Try again later.", cause: self)
    case .cannotOpen, .permission, .readOnly, .ioError:
      StoreError(
        .notAccessible,
        "The store's file cannot be opened, read or written (\(message)). Nothing was changed. Check the "
          + "permissions of the file and its folder, and the disk.",
        cause: self)
    case .constraintTrigger:
      // The triggers of Ferry say all of that themselves, in sentences.
      StoreError(
        .database,
        message.hasSuffix(".")
          ? message
          : "A trigger of the database refused the change: \(message). Nothing of the change was kept.",
        cause: self)
    case .constraintDataType:
      StoreError(
        .wrongType, "A value does not fit its column: \(message). Nothing of it was stored.",
        cause: self)
    default:
      StoreError(
        .database,
        "The store's database refused a statement: \(message). Nothing of this change was kept.",
        cause: self)
    }
  }
}
