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
    /// Waits for something that another change, another request or a person brings about.
    case blocked(by: Obstacle)
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
  /// How many attempts failed since the last success: too many park the entry.
  package var failures = 0
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
}
