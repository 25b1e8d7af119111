// Ferry: offline-first sync for Parse Server. MIT licence.

/// A call that wakes a coordinator for some classes; nil for all.
struct WakeUp: Sendable {
  var classes: Set<String>?

  /// One for two that nobody has heard yet.
  static func united(_ earlier: WakeUp, _ later: WakeUp) -> WakeUp {
    guard let classes = earlier.classes, let others = later.classes else { return WakeUp() }
    return WakeUp(classes: classes.union(others))
  }
}
