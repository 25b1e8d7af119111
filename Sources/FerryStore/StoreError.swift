// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// Why a store refused or failed.
///
/// The message says what happened, what became of the data, and what to do next.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The class is not registered.
    public static let unknownClass = Code(rawValue: "unknown-class")
    /// The class has no such field.
    public static let unknownField = Code(rawValue: "unknown-field")
    /// The field cannot hold the value.
    public static let wrongType = Code(rawValue: "wrong-type")
    /// A query has more conditions, values or pointers than one statement can have.
    public static let queryTooLarge = Code(rawValue: "query-too-large")
    /// SQL of the app has a fault, or does not fit its values.
    public static let invalidSQL = Code(rawValue: "invalid-sql")
    /// SQL of the app would do what only Ferry, or no query, may do.
    public static let refusedSQL = Code(rawValue: "refused-sql")
    /// A whole number beyond ±2^53.
    public static let numberTooLarge = Code(rawValue: "number-too-large")
    /// An access list names nobody, or a party that cannot exist.
    public static let invalidAccessList = Code(rawValue: "invalid-access-list")
    /// There is no such row.
    public static let noSuchRecord = Code(rawValue: "no-such-record")
    /// A request with the change was sent, and its outcome is unknown.
    public static let beingSent = Code(rawValue: "being-sent")
    /// An unsent change cannot be taken back, for a reason that the message gives.
    public static let cannotDiscard = Code(rawValue: "cannot-discard")
    /// A transaction cannot be undone: a sync made it, or it was undone before.
    public static let cannotUndo = Code(rawValue: "cannot-undo")
    /// The whole record of a conflict was restored before, into a row of its own.
    public static let alreadyRestored = Code(rawValue: "already-restored")
    /// Others have changed values of a snapshot's unsaved edits.
    public static let snapshotConflict = Code(rawValue: "snapshot-conflict")
    /// Another row has that object id.
    public static let duplicateObjectID = Code(rawValue: "duplicate-object-id")
    /// The schema breaks a rule.
    public static let invalidSchema = Code(rawValue: "invalid-schema")
    /// A named reader of history was removed while it read.
    public static let readerRemoved = Code(rawValue: "reader-removed")
    /// The store no longer keeps this part of the history.
    public static let historyPruned = Code(rawValue: "history-pruned")
    /// Another process or coordinator is syncing, or locks the database.
    public static let busy = Code(rawValue: "busy")
    /// The file is not a store, or is damaged.
    public static let damaged = Code(rawValue: "damaged")
    /// A newer version of Ferry made the file, or has opened it since.
    public static let newerFormat = Code(rawValue: "newer-format")
    /// The disk is full.
    public static let diskFull = Code(rawValue: "disk-full")
    /// The file or folder cannot be created, read or written.
    public static let notAccessible = Code(rawValue: "not-accessible")
    /// The database failed for another reason.
    public static let database = Code(rawValue: "database")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the data, and what to do next.
  public var message: String
  /// The underlying error, if there is one.
  public var cause: (any Error)?
  /// The extent of a refusal by a rule of another program; nil for any other failure.
  package var refusal: Refusal?
  /// The rule that refused a row, as far as the store knows it.
  package var rule: ForeignRule?

  /// An error with a message.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}

extension StoreError {
  /// There is no row with that local id.
  package static func noSuchRecord(_ className: String, _ localID: LocalID) -> StoreError {
    StoreError(
      .noSuchRecord,
      "The class \(className) has no row with the local id \(localID), so nothing was changed. It "
        + "may have been deleted locally or on the server.")
  }

  /// The store went back to a backup, and its history does not have what was read before.
  package static func historyWentBack(to last: HistoryToken, asked token: HistoryToken)
    -> StoreError
  {
    StoreError(
      .historyPruned,
      "History ends at change \(last.rawValue), before change \(token.rawValue), which was asked for or read. The "
        + "store went back to a backup, or never had that change. No position was moved: read the tables afresh, and "
        + "go on from the newest token.")
  }

  /// History does not go back as far as it was asked for.
  package static func historyPruned(through last: Int64, asked token: HistoryToken) -> StoreError {
    StoreError(
      .historyPruned,
      "History is kept from change \(last + 1) on, and what came after change \(token.rawValue) was asked "
        + "for. No data is lost: read the tables afresh, and go on from the newest token.")
  }
}
