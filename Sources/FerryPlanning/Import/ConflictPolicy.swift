// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Which value stays if both sides changed the same field to different values.
///
/// Every value that loses becomes a conflict record, and one call restores it.
public enum ConflictPolicy: Sendable {
  /// The server's value stays. The default.
  case remoteWins
  /// The local value stays and is sent.
  case localWins
  /// Each field has its own choice; for other fields, the server's value stays.
  case mergeFields([String: FieldChoice])
  /// The app decides, field by field.
  case resolve(@Sendable (Conflict) -> Value)

  /// The server's value stays for each field that both sides changed; all other changes of both
  /// stay.
  public static var mergeFields: ConflictPolicy { .mergeFields([:]) }
}
