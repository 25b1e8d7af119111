// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A record's unsent changes: what to send, what the server held before, and what became of earlier attempts.
///
/// A state machine without effects. Folding makes and changes entries (`ChangeFolding`), the
/// engine moves them along (`OutboxEntry+Attempts`), and a store only keeps them.
package struct OutboxEntry: Sendable, Equatable, Codable {
  package enum Kind: String, Sendable, Codable {
    case create, update, delete
    /// The app deleted the row while its create was under way: settle that first, then delete.
    case deleteAfterCreate
  }

  package enum State: Sendable, Equatable, Codable {
    case ready
    /// An attempt is on its way; found after a restart, its outcome is unknown.
    case sending
    /// The outcome of at least one attempt is unknown and has to be asked for.
    case unknown
    /// Refused for good, or undecidable: waits for the app or the user.
    case parked(Refusal)
    /// Waits for another record, which says why it does not move.
    case blocked(by: Waiting)
    /// Nothing is left to send; kept until a listing shows that no late attempt overtook us.
    case confirming
  }

  package var className: String
  package var localID: LocalID
  /// The record's present object id; minted while the server has not named it.
  package var objectID: String
  package var kind: Kind
  package var state: State = .ready
  /// The fields to send.
  ///
  /// Sticky: a field edited back to its base while an attempt is unresolved stays.
  package var changed: Set<String> = []
  /// What the server held, as far as we know, of the fields in `changed`; of all fields for a delete.
  package var base: Fields = Fields()
  /// The version the row had when the entry was made; nil for a create.
  package var baseVersion: ServerVersion?
  /// When the server created the record; nil while it has not.
  package var createdAt: Timestamp?
  /// The access control list the row had when the app deleted it.
  package var acl: Value = .null
  /// The key sent with a create where ids are the server's.
  package var clientKey: String?
  /// The attempts that are not resolved, and those that timed out and may still commit late.
  package var attempts: [Attempt] = []
  /// How many attempts failed since the last success: decides the back-off.
  package var failures = 0
  /// Not to be tried before this time of the environment's clock.
  package var nextTry: Timestamp?
  /// The stamp of our own last acknowledgement, for checked writes; never the row's version.
  package var acknowledgedVersion: ServerVersion?
  /// The log is folded in up to here.
  package var foldedThrough: HistoryToken

  package init(
    className: String, localID: LocalID, objectID: String, kind: Kind, foldedThrough: HistoryToken
  ) {
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.kind = kind
    self.foldedThrough = foldedThrough
  }

  // Optional, so that they take no room in entries that have none.
  private var rewrittenFields: Set<String>?
  private var withdrawnEdits: Fields?

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

  /// The fields to send that somebody edited.
  package var edited: Set<String> { changed.subtracting(rewritten) }
}

/// What one try to send an entry contained.
package struct Attempt: Sendable, Equatable, Codable {
  package enum Outcome: String, Sendable, Codable {
    /// Under way, or the process ended before the answer came.
    case unknown
    /// Timed out, and acknowledged or settled otherwise since: it may still commit late.
    case late
  }

  package var kind: OutboxEntry.Kind
  /// What was sent, field by field; null where a field was cleared.
  package var sent: Fields
  /// Pointers left out to break a cycle; sent by a later update.
  package var withheld: Set<String>
  /// The edits the attempt contained: what came later was edited meanwhile.
  package var token: HistoryToken
  /// When it left, by the environment's clock: settling counts from here.
  package var startedAt: Timestamp
  package var outcome: Outcome = .unknown
  /// Whether the server may still be at it, so that a later answer does not settle this attempt.
  package var mayStillRun = true

  package init(
    kind: OutboxEntry.Kind, sent: Fields, withheld: Set<String> = [], token: HistoryToken,
    startedAt: Timestamp
  ) {
    self.kind = kind
    self.sent = sent
    self.withheld = withheld
    self.token = token
    self.startedAt = startedAt
  }
}

/// Why an entry is parked.
package struct Refusal: Sendable, Equatable, Codable {
  package enum Reason: String, Sendable, Codable {
    /// The server said no, by a code that trying again does not change.
    case refused
    /// The record may be read but not written.
    case noPermission
    /// Whether a create arrived cannot be found out.
    case undecidable
    /// The change cannot be said in the server's format.
    case unserializable
    /// A bounded number of attempts all failed.
    case exhausted
    /// A record it points to was taken back before the server saw it.
    case parentGone
  }

  package var reason: Reason
  /// The server's code, where it gave one.
  package var code: Int?
  package var message: String

  package init(reason: Reason, code: Int? = nil, message: String) {
    self.reason = reason
    self.code = code
    self.message = message
  }
}

/// The record that a blocked entry waits for.
package struct Waiting: Sendable, Equatable, Codable {
  package var className: String
  package var localID: LocalID
  package var field: String

  package init(className: String, localID: LocalID, field: String) {
    self.className = className
    self.localID = localID
    self.field = field
  }
}
