// Ferry: offline-first sync for Parse Server. MIT licence.

/// A registered class: its fields, its table, and how its deletions are found.
///
/// ```swift
/// Entity("Game") {
///   Field("title", .text)
///   Field("league", .pointer(to: "League"))
/// }
/// .deletions(.softDelete(field: "isRemoved"))
/// ```
public struct Entity: Sendable {
  /// The class's name on the server.
  public var name: String
  /// The table's name here.
  public var table: String
  /// The declared fields, in the order declared.
  ///
  /// Others on the server are neither read nor touched.
  public var fields: [Field]
  /// How deletions on the server are found.
  public var deletionStrategy: DeletionStrategy = .counting
  /// Which of the server's records are kept here; nil for all that may be read.
  public var recordFilter: Condition?
  /// This class's own wire format; nil for the one that follows from the fields.
  package var serializer: (any RecordSerializer)?
  /// Positions in `fields`, by name.
  package private(set) var positions: [String: Int]

  /// Declares a class.
  ///
  /// - Parameters:
  ///   - name: The class's name on the server.
  ///   - table: The table's name here, when it has to differ from the class's.
  ///   - fields: The fields to keep in step.
  public init(_ name: String, table: String? = nil, @FieldsBuilder fields: () -> [Field]) {
    self.init(name, table: table, fields: fields())
  }

  /// Declares a class by a list of fields.
  public init(_ name: String, table: String? = nil, fields: [Field]) {
    self.name = name
    self.table = table ?? name
    self.fields = fields
    positions = Dictionary(
      fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The field with that name.
  public func field(_ name: String) -> Field? { positions[name].map { fields[$0] } }

  /// The same class, with its deletions found in another way.
  public func deletions(_ strategy: DeletionStrategy) -> Entity {
    var entity = self
    entity.deletionStrategy = strategy
    return entity
  }

  /// The same class, of which only the records that satisfy a condition are kept here.
  ///
  /// ```swift
  /// Entity("Game") {
  ///   Field("season", .integer)
  ///   Field("title", .text)
  /// }
  /// .filter(.field("season", .equal, 2026))
  /// ```
  ///
  /// The server is asked for those records alone. One that no longer satisfies the condition leaves
  /// this device, and no other: it is evicted, which is neither a deletion nor a loss. A row with
  /// unsent edits stays until they are sent, and so does one that the app creates outside the
  /// condition. When the condition changes, the next sync fetches what is new in it and evicts the
  /// rest.
  ///
  /// A condition may be used where every server decides as this device does: `isNull` and its
  /// opposite, equality and `oneOf` for text, numbers, Booleans and pointers, all comparisons of
  /// numbers but `notEqual`, and `>=` and `<` for dates, `createdAt` included. Text has no order that
  /// all databases share. Anything else is refused when the schema is checked. The fields have to
  /// exist on the server, the mark of a soft deletion too: of one it does not have, it says that
  /// nothing matches.
  ///
  /// - Parameter condition: Which records are kept here.
  /// - Returns: The class with that filter.
  public func filter(_ condition: Condition) -> Entity {
    var entity = self
    entity.recordFilter = condition
    return entity
  }

  /// The same class, with a wire format of its own.
  public func serialized(by serializer: any RecordSerializer) -> Entity {
    var entity = self
    entity.serializer = serializer
    return entity
  }
}
