// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A record's unsent changes: what to send, what the server held before, and what became of earlier attempts.
///
/// A state machine without effects. Folding makes and changes entries (`ChangeFolding`), the engine moves
/// them along, and a store only keeps them. A method that returns whether the entry is done asks its
/// caller to remove it.
///
/// | from | event | to |
/// | --- | --- | --- |
/// | ready, blocked | `begin`: an attempt leaves | sending |
/// | ready, blocked | `wait`: it cannot be sent now | blocked, parked |
/// | ready, blocked | `refuse`: it cannot be written | parked |
/// | ready, blocked, parked | `join`: an import leaves nothing to send | confirming, done |
/// | parked | `join`: an import changes the fields to send | ready |
/// | blocked | `join`: an import leaves something to send | ready |
/// | blocked | `meet`: the record was imported | ready |
/// | blocked | `persist`: an import shows another client's edit, and the delete stays | ready |
/// | ready, blocked, in doubt, parked | `takingBackDelete`: the edit of another client wins | done, ready |
/// | ready, blocked, parked | `resolvePresent`: an import shows the record of the create | done, ready, confirming |
/// | confirming | `resolvePresent`: an import shows the record of the create | ready |
/// | ready, blocked, parked, confirming | `resolveAbsent`: another device created the record anew | ready |
/// | blocked, confirming | `wake`: the app edits | ready |
/// | parked | `wake`: the app edits | ready, in doubt |
/// | ready | `reconcile`: the app takes its edit back | confirming, done |
/// | sending | `acknowledge`: the server did it | done, ready, confirming |
/// | sending | `lose`: no answer says what happened | in doubt |
/// | sending | `recover`: the process ended | in doubt |
/// | sending | `postpone`: it surely did not run | ready |
/// | sending | `postpone`, where the app took the create back | confirming |
/// | sending | `postpone`, where the app took the delete back | in doubt |
/// | sending | `refuse`: the server said no | parked |
/// | sending | `refuse`, where the app edits meanwhile | ready, in doubt |
/// | sending | `refuse`, where the app took the create back | confirming |
/// | sending | `refuse`, where the app took the delete back | in doubt |
/// | in doubt | `resolvePresent`: the server shows the record | done, ready, confirming |
/// | in doubt | `resolveAbsent`: the server does not have it | done, ready, confirming, parked |
/// | in doubt | `refuse`: nobody can find it out, or the record is not ours | parked |
/// | in doubt | `refuse`, where the app edits meanwhile | ready, in doubt |
/// | in doubt | `yieldID`: the record has another row | ready |
/// | parked | `retry` | ready, in doubt |
/// | parked | `sendAgain`: the app asks for it | ready, in doubt |
/// | confirming | `confirm`: a listing shows the record | done, confirming, ready |
/// | confirming | `confirmAbsent`: a listing does not | done, confirming, ready |
package struct OutboxEntry: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case create, update, delete
    /// The app deleted the row while its create was being sent: resolve the create, then delete.
    case deleteAfterCreate
  }

  package enum State: Sendable, Equatable {
    case ready
    /// An attempt is being sent; after a restart, its outcome is unknown.
    case sending
    /// The outcome of at least one attempt is unknown; the engine must look it up.
    case inDoubt
    /// The server refused for good, or the outcome is undecidable; the entry waits for the app or
    /// the user.
    case parked(Refusal)
    /// Waits for something that another change, another request or a person brings about.
    case blocked(by: Obstacle)
    /// Nothing is left to send; the entry stays until a listing shows that no late attempt took
    /// effect.
    case confirming
  }

  package let className: String
  package internal(set) var localID: LocalID
  /// The record's present object id; a minted id while the server has not chosen one.
  package internal(set) var objectID: String
  package internal(set) var kind: Kind
  package private(set) var state: State = .ready
  /// The fields to send; `Fields.accessList` among them for the access list.
  ///
  /// A field that the app edited back to its base stays here while an attempt is unresolved.
  package internal(set) var changed: Set<String> = []
  /// The server's values, as far as known, of the fields in `changed`; of all fields for a delete.
  package internal(set) var base: Fields = Fields()
  /// The row's version when the entry was made; nil for a create.
  package internal(set) var baseVersion: ServerVersion?
  /// When the server created the record; nil if it has not.
  package internal(set) var createdAt: Timestamp?
  /// The record's access list when the app deleted its row, without an unsent edit of it; null again once it is in a row.
  package internal(set) var acl: Value = .null
  /// The key sent with a create on servers that choose the ids.
  package internal(set) var clientKey: String?
  /// The attempts that are not resolved, and those that timed out and may still commit late.
  package internal(set) var attempts: [Attempt] = []
  /// The failures since the last success: too many park the entry, or make it pause.
  package internal(set) var failures = FailureStreak()
  /// The stamp of this device's last acknowledged write, for checked writes; never the row's
  /// version.
  package internal(set) var acknowledgedVersion: ServerVersion?
  /// The rule of another program that keeps the row from noting what became of the change; nil if none does.
  ///
  /// It is forgotten as soon as the change moves.
  package var rule: String?
  /// Whether the row has older values than imports have shown, so that the record has to be imported again.
  ///
  /// Imports leave out additions of unknown outcome, and a row that comes back has what it had. Nothing of an update is
  /// sent before.
  package internal(set) var isOutdated = false
  /// The position up to which the log is folded into the entry.
  package internal(set) var foldedThrough: HistoryToken

  package init(
    className: String, localID: LocalID, objectID: String, kind: Kind, foldedThrough: HistoryToken
  ) {
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.kind = kind
    self.foldedThrough = foldedThrough
  }

  /// The one place where the state changes; the methods that call it are the events of the table.
  mutating func enter(_ next: State) {
    state = next
    rule = nil
  }

  // Optional, so that they take no room in entries that have none.
  private var rewrittenFields: Set<String>?
  private var withdrawnEdits: Fields?
  private var lastKnownValues: Fields?

  /// Those of the changed fields that hold a pointer which the engine rewrote, and that nobody edited.
  package var rewritten: Set<String> {
    get { rewrittenFields ?? [] }
    set { rewrittenFields = newValue.isEmpty ? nil : newValue }
  }

  /// The unsent edits of a row that the app deleted, should the delete be taken back.
  package var withdrawn: Fields {
    get { withdrawnEdits ?? Fields() }
    set { withdrawnEdits = newValue.isEmpty ? nil : newValue }
  }

  /// The server's values, as the app knew them when it deleted the row; empty for any other entry.
  ///
  /// The server may still have the record, marked as deleted. If the app inserts its row again, these values are the
  /// base of that edit.
  package var lastKnown: Fields {
    get { lastKnownValues ?? Fields() }
    set { lastKnownValues = newValue.values.isEmpty ? nil : newValue }
  }

  /// The fields to send that the app edited.
  package var edited: Set<String> { changed.subtracting(rewritten) }
}

// Entries that the engine makes; those of the app's edits come from folding.
extension OutboxEntry {
  /// Creates the record on the server with all that its row holds.
  package init(creating row: Record, foldedThrough: HistoryToken) {
    self.init(
      className: row.className, localID: row.localID, objectID: row.objectID, kind: .create,
      foldedThrough: foldedThrough)
    changed = Set(row.contents.values.filter { !$0.value.isNull }.keys)
  }

  /// Sends fields of a row; `overwrite` says which.
  package init(editing row: Record, foldedThrough: HistoryToken) {
    self.init(
      className: row.className, localID: row.localID, objectID: row.objectID, kind: .update,
      foldedThrough: foldedThrough)
    createdAt = row.createdAt
    baseVersion = row.version
  }

  /// Deletes a record on the server that has no local row.
  package init(deleting record: Record, foldedThrough: HistoryToken) {
    self.init(
      className: record.className, localID: record.localID, objectID: record.objectID,
      kind: .delete, foldedThrough: foldedThrough)
    base = record.fields
    baseVersion = record.version
    createdAt = record.createdAt
    acl = record.acl
  }
}
