// Ferry: offline-first sync for Parse Server. MIT licence.

/// Names one row by the app's stable key and by its present object id.
public struct RecordReference: Sendable, Hashable {
  /// The class.
  public var className: String
  /// The app's stable key.
  public var localID: LocalID
  /// The object id; it changes once if the server chooses another id.
  public var objectID: String

  /// Names a row.
  public init(className: String, localID: LocalID, objectID: String) {
    self.className = className
    self.localID = localID
    self.objectID = objectID
  }

  /// The record as a pointer names it.
  package var pointer: Pointer { Pointer(className: className, objectID: objectID) }
}
