// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
package import FerryPlanning

/// An unsent change of one record, and why it waits.
///
/// All unsent edits of a record are one change. `StoreInspection` lists the changes of a store.
public struct PendingChange: Sendable, Equatable {
  /// The effect of the change on the server.
  public enum Kind: String, Sendable, CaseIterable {
    /// It creates the record.
    case create
    /// It sends edited fields of the record.
    case update
    /// It deletes the record.
    case delete
    /// The app deleted the row while the record's create was being sent: the next sync finds the
    /// record and deletes it.
    case deleteAfterCreate = "delete-after-create"
  }

  /// How far the change has come.
  public typealias State = UnsentState

  /// The class.
  public var className: String
  /// The app's key of the record; it stays after the row is deleted.
  public var localID: LocalID
  /// The record's object id on the server; nil while the server does not have the record.
  public var objectID: String?
  /// The effect of the change on the server.
  public var kind: Kind
  /// How far the change has come.
  public var state: State
  /// The fields to send, in alphabetical order; empty for a delete.
  public var fields: [String]
  /// The values that the server had before the app's edits: of the fields to send, or of all fields for a delete.
  ///
  /// It is empty for a create. A missing field had no value.
  public var base: Fields
  /// The new files in the fields to send, by field; the next sync sends them before the record.
  public var files: [String: UnsentFile] = [:]
  /// Whether no request with the change has an unknown outcome: only then `StoreTransaction.discardChange(of:localID:)`
  /// takes it back.
  public var isDiscardable: Bool
  /// The requests whose outcome is still open.
  public var openAttempts: Int
  /// The failed attempts since the last success; `SyncOptions.attemptLimit` bounds them.
  public var failures: Int
  /// The time before which no sync tries the change again, after failures of the server; nil for none.
  public var nextAttempt: Timestamp?
  /// Why the change waits, as sentences for people; nil if it is ready.
  public var reason: String?
  /// The server's error code if the change is parked and the server gave one.
  public var serverCode: Int?
}

extension PendingChange {
  /// The change that an entry has left to send; nil if nothing is left.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - closedClasses: The classes of which the server takes no create while nobody is logged in.
  package init?(_ entry: OutboxEntry, closedClasses: Set<String> = []) {
    guard let state = entry.unsentState(closedClasses: closedClasses) else { return nil }
    let isDelete = entry.kind == .delete || entry.kind == .deleteAfterCreate
    // The process that was sending may have ended, and then no answer comes.
    let reason = state == .sending ? OutboxEntry.State.inDoubt.reason : entry.reason
    self.init(
      className: entry.className, localID: entry.localID,
      objectID: entry.permanentID, kind: Kind(entry.kind), state: state,
      fields: isDelete ? [] : entry.changed.sorted(), base: entry.baseOfChange,
      isDiscardable: entry.reversingEdit != nil, openAttempts: entry.attempts.count,
      failures: entry.failures.count,
      nextAttempt: entry.nextAttempt, reason: reason)
    if case .parked(let refusal) = entry.state { serverCode = refusal.code }
    guard entry.waitsForLogin(closedClasses: closedClasses) else { return }
    self.reason =
      "A new record of \(className) needs a user who is logged in. Log in, and sync again."
  }
}

extension OutboxEntry {
  /// The server's values of what the change replaces.
  fileprivate var baseOfChange: Fields {
    let base = kind == .update ? base.only(changed) : kind == .create ? Fields() : base
    return Fields(base.values.filter { !$1.isNull })
  }

  /// The end of a pause after failures.
  fileprivate var nextAttempt: Timestamp? {
    switch state {
    case .blocked(.backOff(let end)): end
    case .blocked(.newFile(_, let end)): end
    case .ready: failures.pauseEnd(after: .earliest)
    case .sending, .inDoubt, .parked, .blocked, .confirming: nil
    }
  }
}

extension PendingChange.Kind {
  fileprivate init(_ kind: OutboxEntry.Kind) {
    switch kind {
    case .create: self = .create
    case .update: self = .update
    case .delete: self = .delete
    case .deleteAfterCreate: self = .deleteAfterCreate
    }
  }
}
