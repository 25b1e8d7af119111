// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// Whose value stays when both sides changed the same field to different values.
///
/// Every value that loses is among the conflicts, and one call brings it back.
public enum ConflictPolicy: Sendable {
  /// The server's value stays. The default.
  case remoteWins
  /// The value from here stays and is sent.
  case localWins
  /// For each field a choice of its own; for fields not named, the server's value.
  case mergeFields([String: FieldChoice])
  /// The app decides, field by field.
  case resolve(@Sendable (Conflict) -> Value)

  /// The server's value stays wherever both sides changed a field, and all other changes of both stay.
  public static var mergeFields: ConflictPolicy { .mergeFields([:]) }
}
