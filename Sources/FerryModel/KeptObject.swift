// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// An object as another library's file keeps it, before anyone has read its content.
public struct KeptObject: Sendable, Equatable {
  /// The object's class, as the file names it.
  public var className: String
  /// The file's own key of the object; nil where the file has none.
  ///
  /// An object without one is a record of the server alone, as in an export: it brings no unsent edits.
  public var uuid: String?
  /// The server's id of the object; nil for an object that the server does not have.
  public var objectID: String?
  /// The content as JSON, in the form of Parse's REST interface; nil for an object of which only the key is known.
  public var json: Data?
  /// Whether the app has deleted the object, and the server does not know it yet.
  public var isDeleted: Bool

  /// An object made of its parts.
  public init(
    className: String, uuid: String? = nil, objectID: String? = nil, json: Data?,
    isDeleted: Bool = false
  ) {
    self.className = className
    self.uuid = uuid
    self.objectID = objectID
    self.json = json
    self.isDeleted = isDeleted
  }
}
