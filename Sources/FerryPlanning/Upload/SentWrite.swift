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
  /// Whether it adds a member to the relation of another record.
  package var addsMember: Bool

  package init(
    key: RecordKey, objectID: String, attempt: Attempt, asksForID: Bool = false,
    unsendable: UnsendableFields = UnsendableFields(), addsMember: Bool = false
  ) {
    self.key = key
    self.objectID = objectID
    self.attempt = attempt
    self.asksForID = asksForID
    self.unsendable = unsendable
    self.addsMember = addsMember
  }

  package var kind: WriteKind {
    switch attempt.kind {
    case .create: asksForID ? .createWithID : .create
    case .update: .update
    case .delete, .deleteAfterCreate: .delete
    }
  }
}

extension Refusal {
  /// The server does not let this user change the record to whose relation a member is added.
  static func ownerGone(_ failure: WriteFailure) -> Refusal {
    Refusal(
      reason: .refused, code: failure.code,
      message:
        "The member was not added: the server does not have its owner any more, or this user may not "
        + "change the owner. The row is kept here, and a sync sends it again once the owner has changed. "
        + "Otherwise delete the row, or discard the change."
    )
  }
}
