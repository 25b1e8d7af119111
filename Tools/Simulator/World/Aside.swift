// Ferry: offline-first sync for Parse Server. MIT licence.

/// A deed of a device's other program while the first one syncs.
public enum Aside: Sendable {
  /// It edits a row.
  case edit(Edit)
  /// It syncs: at once where the first program was killed, and otherwise it is refused.
  case sync
  /// It ends, and an older one starts in its place.
  case startOlder
  /// It plans, under the same rule.
  case plan
}
