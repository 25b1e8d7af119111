// Ferry: offline-first sync for Parse Server. MIT licence.

import CSQLite

/// The result of a call of SQLite.
///
/// An extended code has its primary code in the low byte. A pattern with a primary code matches all
/// of its extended codes: `case .ioError` matches a failed read and a failed write.
struct SQLiteResultCode: RawRepresentable, Hashable, Sendable {
  var rawValue: Int32

  init(rawValue: Int32) { self.rawValue = rawValue }

  var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }

  static let ok = SQLiteResultCode(rawValue: SQLITE_OK)
  static let error = SQLiteResultCode(rawValue: SQLITE_ERROR)
  static let row = SQLiteResultCode(rawValue: SQLITE_ROW)
  static let done = SQLiteResultCode(rawValue: SQLITE_DONE)
  static let permission = SQLiteResultCode(rawValue: SQLITE_PERM)
  static let busy = SQLiteResultCode(rawValue: SQLITE_BUSY)
  static let locked = SQLiteResultCode(rawValue: SQLITE_LOCKED)
  static let readOnly = SQLiteResultCode(rawValue: SQLITE_READONLY)
  static let ioError = SQLiteResultCode(rawValue: SQLITE_IOERR)
  static let corrupt = SQLiteResultCode(rawValue: SQLITE_CORRUPT)
  static let full = SQLiteResultCode(rawValue: SQLITE_FULL)
  static let cannotOpen = SQLiteResultCode(rawValue: SQLITE_CANTOPEN)
  static let constraint = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT)
  /// A value that is no integer, for the key of a table.
  static let mismatch = SQLiteResultCode(rawValue: SQLITE_MISMATCH)
  /// A text or bytes that are longer than SQLite's limit.
  static let tooBig = SQLiteResultCode(rawValue: SQLITE_TOOBIG)
  static let notADatabase = SQLiteResultCode(rawValue: SQLITE_NOTADB)

  // Extended codes: SQLite defines them by shifts, which Swift does not import.
  /// A value that a STRICT column cannot hold.
  static let constraintDataType = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT | (12 << 8))
  /// A row number that another row has.
  static let constraintPrimaryKey = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT | (6 << 8))
  /// A value that is not unique but must be.
  static let constraintUnique = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT | (8 << 8))
  /// A trigger refused the statement.
  static let constraintTrigger = SQLiteResultCode(rawValue: SQLITE_CONSTRAINT | (7 << 8))
  /// The file ends before.
  static let ioErrorShortRead = SQLiteResultCode(rawValue: SQLITE_IOERR | (2 << 8))
  /// The disk was full when the log's shared memory had to grow.
  static let ioErrorSharedMemorySize = SQLiteResultCode(rawValue: SQLITE_IOERR | (19 << 8))

  static func ~= (pattern: SQLiteResultCode, code: SQLiteResultCode) -> Bool {
    pattern == code || (pattern.rawValue <= 0xFF && code.primary == pattern)
  }
}
