// Ferry: offline-first sync for Parse Server. MIT licence.

/// One write that is being sent, as far as what becomes of it depends on it.
package struct SentWrite: Sendable {
  package var key: RecordKey
  /// The record's object id at that time; a minted id for a create.
  package var objectID: String
  package var attempt: Attempt
  /// Whether a create asks for its own object id.
  package var asksForID: Bool
  /// Why fields of the change cannot be sent, and which; the others go without them.
  package var unsendable: UnsendableFields

  package init(
    key: RecordKey, objectID: String, attempt: Attempt, asksForID: Bool = false,
    unsendable: UnsendableFields = UnsendableFields()
  ) {
    self.key = key
    self.objectID = objectID
    self.attempt = attempt
    self.asksForID = asksForID
    self.unsendable = unsendable
  }

  package var kind: WriteKind {
    switch attempt.kind {
    case .create: asksForID ? .createWithID : .create
    case .update: .update
    case .delete, .deleteAfterCreate: .delete
    }
  }
}
