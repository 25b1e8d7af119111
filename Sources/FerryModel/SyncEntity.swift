// Ferry: offline-first sync for Parse Server. MIT licence.

/// A Swift type that stands for the rows of one class.
///
/// Its properties are matched with the declared fields by name; fields that the type does not have
/// are left alone. A property may be text, a number, a Boolean, `Date` or `Timestamp`, `Data`,
/// `Pointer`, `GeoPoint`, `File`, `Value`, a raw-value enumeration, or, for objects and arrays,
/// anything `Codable`. Make it optional where the field may have no value: `nil` clears the field.
///
/// A property named `objectId` is filled with the object id, `createdAt` and `updatedAt` with the
/// server's dates, when rows are read; they are never written.
///
/// ```swift
/// struct Game: SyncEntity {
///   var id = LocalID()
///   var title: String
///   var playedAt: Date?
///   var league: Pointer?
/// }
/// ```
public protocol SyncEntity: Codable, Sendable {
  /// The class's name on the server; the type's name unless told otherwise.
  static var className: String { get }
  /// The row; unassigned until it has been inserted.
  var id: LocalID { get set }
}

extension SyncEntity {
  /// The type's name.
  public static var className: String { String(describing: Self.self) }
}
