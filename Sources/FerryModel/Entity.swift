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

  /// The same class, with a wire format of its own.
  public func serialized(by serializer: any RecordSerializer) -> Entity {
    var entity = self
    entity.serializer = serializer
    return entity
  }
}
