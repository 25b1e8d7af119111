// Ferry: offline-first sync for Parse Server. MIT licence.

/// A Swift type for the rows of one class.
///
/// Its properties match the declared fields by name. Fields without a property stay as they are. A
/// property may be text, a number, a Boolean, `Date` or `Timestamp`, `Data`, `Pointer`, `GeoPoint`,
/// `File`, `Value`, a raw-value enumeration, or, for objects and arrays, any `Codable` type. Make a
/// property optional if its field may have no value; `nil` clears the field.
///
/// When Ferry reads a row, it fills a property named `objectId` with the object id, and properties
/// named `createdAt` and `updatedAt` with the server's dates. It never writes these properties.
///
/// `ferry generate swift` writes such types from a `ferry.json`. `Schema.check(_:)`, and a
/// coordinator that is made with `checking:`, compare types with the schema.
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
  /// The class's name on the server; by default the type's name.
  static var className: String { get }
  /// Declared fields for which the type has no property on purpose; by default none.
  ///
  /// `Schema.check(_:)` reports every other field without a property, except relations.
  static var fieldsLeftOut: Set<String> { get }
  /// The fields of properties, for queries by key paths; by default none.
  ///
  /// It needs only the properties that such queries name, and not `id`. `TypedCondition` shows it.
  static var fieldNames: [PartialKeyPath<Self>: String] { get }
  /// The row's local id; unassigned until the row is inserted.
  var id: LocalID { get set }
}

extension SyncEntity {
  /// The type's name.
  public static var className: String { String(describing: Self.self) }
  /// No field.
  public static var fieldsLeftOut: Set<String> { [] }
  /// None.
  public static var fieldNames: [PartialKeyPath<Self>: String] { [:] }
}
