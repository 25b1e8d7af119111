// Ferry: offline-first sync for Parse Server. MIT licence.

/// A reference to a record of a class, by its object id.
public struct Pointer: Hashable, Sendable, Codable {
  /// The target's class.
  public var className: String
  /// The target's object id; a minted id while the server has not chosen one.
  public var objectID: String

  /// Points at the record with that id, whether or not it exists.
  public init(className: String, objectID: String) {
    self.className = className
    self.objectID = objectID
  }
}
