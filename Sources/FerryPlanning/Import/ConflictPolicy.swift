// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Which value stays if both sides changed the same field to different values.
///
/// A policy decides only about such fields. All other changes of both sides stay under every policy.
/// Every value that loses becomes a conflict record, and one call restores it.
///
/// ## Resolvers
///
/// A resolver is the app's own function: one decides field by field, the other sees the whole record.
///
/// ```swift
/// // The title and the score of a finished game belong together.
/// let policy = ConflictPolicy.resolvingRecords { conflict in
///   guard conflict.local["isOver"] == true else { return [:] }
///   return conflict.local.only(conflict.fields)
/// }
/// let conflicts = ConflictPolicies.remoteWins.except(for: "Game", policy)
/// ```
///
/// The engine calls resolvers during imports, in a transaction of the store, and on any thread. It may
/// call a resolver again for the same conflict, so a resolver has no effect but its result.
///
/// - A resolver that throws, or gives a value that a field cannot hold, has failed. So has a resolver of
///   records that gives a value for a field that is not in conflict. The server's value then stays, and
///   the local value becomes a conflict record with the reason `ConflictRecord.Reason.resolverFailed`.
///   The report says so with the notice `resolver-failed`. A failure for one field leaves the other
///   fields to their own calls. A failure for a record applies to all its fields in conflict.
/// - A resolver may read the store. It then sees the last commit.
/// - A resolver cannot write to the store that is being synced: the write throws `StoreError` and changes
///   nothing. A plan works on a copy, so there the store accepts the write as an edit of the app.
/// - The sync and all writes to the store wait until the resolver returns. Cancellation waits, too. A
///   resolver should be quick. It must not wait for a user, the network, or another thread's write to the
///   store.
public enum ConflictPolicy: Sendable {
  /// The server's value stays. The default.
  case remoteWins
  /// The local value stays and is sent.
  case localWins
  /// The named side's value stays; for fields that are not named, the server's value stays.
  case choosingByField([String: FieldChoice])
  /// The app decides, field by field. It is called once for each field in conflict.
  case resolvingFields(@Sendable (FieldConflict) throws -> Value)
  /// The app decides about all fields in conflict of a record at once.
  ///
  /// The result holds values for fields in conflict. For fields that it leaves out, the server's value
  /// stays.
  case resolvingRecords(@Sendable (RecordConflict) throws -> Fields)
}
