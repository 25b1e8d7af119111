// Ferry: offline-first sync for Parse Server. MIT licence.

/// Objects, or fields of them, that an import left out for one reason.
///
/// The source still has them.
public struct ObjectLeftOut: Sendable, Equatable {
  /// Why something was left out; more reasons may be added.
  public struct Reason: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The schema does not have the class.
    public static let unknownClass = Reason(rawValue: "unknown-class")
    /// The schema does not have the field.
    public static let unknownField = Reason(rawValue: "unknown-field")
    /// A value does not fit its field.
    public static let wrongType = Reason(rawValue: "wrong-type")
    /// The object's JSON cannot be read, or is no object.
    public static let unreadable = Reason(rawValue: "unreadable")
    /// The source has only some fields of the record.
    public static let incomplete = Reason(rawValue: "incomplete")
    /// The object has neither an id of the server nor a key of its own.
    public static let noIdentity = Reason(rawValue: "no-identity")
    /// A value points to a new object that the import leaves out, or that the source does not have.
    public static let unresolvedPointer = Reason(rawValue: "unresolved-pointer")
    /// An unsent change belongs to a record that has no row.
    public static let noRow = Reason(rawValue: "no-row")
    /// The app has changed the row in the store, and the server does not know it yet.
    public static let editedHere = Reason(rawValue: "edited-here")
    /// The row was here before, and has left since.
    public static let removedHere = Reason(rawValue: "removed-here")
    /// The schema has no class for the members of the relation.
    public static let relation = Reason(rawValue: "relation")
    /// The app deleted the object before it was ever saved.
    public static let neverSaved = Reason(rawValue: "never-saved")
    /// A request that waits to be sent, and that is no change of an object.
    public static let command = Reason(rawValue: "command")
    /// A rule of the table, or the filter of the class, keeps the row out.
    public static let refused = Reason(rawValue: "refused")
  }

  /// The class.
  public var className: String
  /// The field; nil for whole objects.
  public var field: String?
  /// Why.
  public var reason: Reason
  /// How many objects.
  public var count: Int
  /// The first of them: its id of the server, or its key in the source.
  public var example: String
  /// The fault of the first of them, as a sentence; nil where the reason says it all.
  public var detail: String?

  /// Objects left out, with the first of them as an example.
  public init(
    className: String, field: String? = nil, reason: Reason, count: Int = 1, example: String,
    detail: String? = nil
  ) {
    self.className = className
    self.field = field
    self.reason = reason
    self.count = count
    self.example = example
    self.detail = detail
  }
}
