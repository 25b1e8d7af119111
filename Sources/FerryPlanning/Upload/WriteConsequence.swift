// Ferry: offline-first sync for Parse Server. MIT licence.

/// The consequence for a write that did not succeed.
package enum WriteConsequence: Equatable, Sendable {
  /// The change waits for an edit, because every further attempt would fail too.
  case park
  /// The change is due again.
  case postpone
  /// The change goes again in a smaller batch; it is parked if it was alone.
  case sendSmaller
  /// The change goes again, when the engine knows whether the server accepts ids of clients.
  case findOutAboutIDs
  /// The change is due again, and the run ends: only users who are logged in may create records.
  case askForLogin
  /// The next run looks up whether the server carried the write out.
  case doubt(mayStillRun: Bool)
  /// This run looks the record up.
  case lookUp(WriteInDoubt.Reason)

  /// The one table from the meaning of an answer to the consequence.
  package init(_ meaning: RefusalMeaning, of write: WriteKind) {
    self =
      switch (meaning, write) {
      // A row whose delete was refused comes back, so the record is looked up.
      case (.forbidden, .delete): .lookUp(.denied)
      case (.refused, _), (.forbidden, _): .park
      case (.invalidName, .createWithID): .findOutAboutIDs
      case (.invalidName, _): .park
      // Only a create can be a duplicate of itself; an update's value belongs to another record.
      case (.duplicate, .update), (.duplicate, .delete): .park
      case (.duplicate, _): .lookUp(.duplicate)
      case (.notFoundOrForbidden, .update), (.notFoundOrForbidden, .delete): .lookUp(.denied)
      case (.notFoundOrForbidden, _): .askForLogin
      case (.outcomeUnknown(let mayStillRun), _): .doubt(mayStillRun: mayStillRun)
      case (.malformed, _), (.cut, _): .doubt(mayStillRun: false)
      case (.tooLarge, _): .sendSmaller
      case (.retryLater, _), (.failed, _), (.rateLimited, _), (.loginNeeded, _),
        (.unauthorized, _), (.wrongURL, _), (.notParse, _):
        .postpone
      }
  }
}
