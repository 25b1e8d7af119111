// Ferry: offline-first sync for Parse Server. MIT licence.

/// A change of a row that the server has committed.
public struct LoopbackCommit: Sendable {
  /// The class of the row.
  public let className: String
  /// The row.
  public let objectId: String
  /// The row's fields after the change; nil where the change removed the row.
  public let fields: [String: LoopbackValue]?
  /// The row's stamp after the change, to the millisecond; nil where the change removed the row.
  public let updatedAt: String?
  /// The row's access list after the change; nil where everybody may do everything.
  public let acl: LoopbackValue?
}
