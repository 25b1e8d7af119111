// Ferry: offline-first sync for Parse Server. MIT licence.

/// A change of a row, as live queries are matched against it.
struct LiveChange: Sendable {
  var className: String
  /// The row before; nil where it is new.
  var before: Row?
  /// The row now; nil where it is gone.
  var after: Row?
}

extension LoopbackBackend {
  /// Keeps a change until the live queries are told, if the server publishes its class.
  mutating func noteLive(_ className: String, before: Row?, after: Row?) {
    guard publishes(className) else { return }
    liveChanges.append(LiveChange(className: className, before: before, after: after))
  }

  /// Whether live queries hear of the changes of a class.
  ///
  /// The server takes each name for a pattern of whole names; the double knows `.*` besides plain ones.
  func publishes(_ className: String) -> Bool {
    configuration.liveQueryClasses.contains { $0 == ".*" || $0 == className }
  }
}
