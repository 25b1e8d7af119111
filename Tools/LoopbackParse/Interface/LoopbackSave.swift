// Ferry: offline-first sync for Parse Server. MIT licence.

/// A write about to happen, as a `beforeSave` trigger sees it.
public struct LoopbackSave: Sendable {
  /// The class written to.
  public let className: String
  /// The row as it is stored; nil when it is being created.
  public let original: LoopbackValue?
  /// The fields sent, which the trigger may change; operations such as `Increment` as they were sent.
  public var changes: [String: LoopbackValue]
  /// The user who writes; nil without a session.
  public let userId: String?
  /// Whether the write came with the master key.
  public let isMaster: Bool
}
