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
  /// The name of the local table.
  public var table: String
  /// The declared fields, in the order declared.
  ///
  /// Ferry neither reads nor changes other fields on the server.
  public var fields: [Field] { didSet { positions = Self.positions(of: fields) } }
  /// How Ferry finds deletions on the server.
  public var deletionStrategy: DeletionStrategy = .counting
  /// Which of the server's records this device keeps; nil for all that the user may read.
  public var recordFilter: Condition?
  /// Whether a sync leaves the server's records of the class alone, and the app fetches those that it needs.
  public var isOnDemand = false
  /// The relation whose members the rows are; nil for a class of the server.
  public internal(set) var membership: Membership?
  /// The indexes of the table that Ferry makes and drops; nil to leave those that there are.
  public var indexes: [Index]?
  /// The access list of new records, where the app gives none.
  public var defaultAccess: DefaultAccess = .server
  /// The class's own wire format; nil for the format that follows from the fields.
  package var serializer: (any RecordSerializer)?
  /// Positions in `fields`, by name.
  package private(set) var positions: [String: Int]

  /// Declares a class.
  ///
  /// - Parameters:
  ///   - name: The class's name on the server.
  ///   - table: The name of the local table, if it differs from the class's name.
  ///   - fields: The fields to keep in step.
  public init(_ name: String, table: String? = nil, @FieldsBuilder fields: () -> [Field]) {
    self.init(name, table: table, fields: fields())
  }

  /// Declares a class by a list of fields.
  public init(_ name: String, table: String? = nil, fields: [Field]) {
    self.name = name
    self.table = table ?? name
    self.fields = fields
    positions = Self.positions(of: fields)
  }

  private static func positions(of fields: [Field]) -> [String: Int] {
    Dictionary(
      fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The field with that name.
  public func field(_ name: String) -> Field? { positions[name].map { fields[$0] } }

  /// The same class with another way of finding deletions.
  public func deletions(_ strategy: DeletionStrategy) -> Entity {
    var entity = self
    entity.deletionStrategy = strategy
    return entity
  }

  /// The same class, of which this device keeps only the records that satisfy a condition.
  ///
  /// ```swift
  /// Entity("Game") {
  ///   Field("season", .integer)
  ///   Field("title", .text)
  /// }
  /// .filter(.field("season", .equal, 2026))
  /// ```
  ///
  /// The engine asks the server only for those records. A record that no longer satisfies the
  /// condition leaves this device only: the engine *evicts* it. An eviction is neither a deletion
  /// nor a loss. A row with unsent edits stays until they are sent, and so does a row outside the
  /// condition that the app creates. When the condition changes, the next sync fetches the records
  /// that it now includes, and evicts the rest.
  ///
  /// A condition may use only comparisons that every server evaluates as this device does: `isNull`
  /// and its negation; equality and `oneOf` for text, numbers, Booleans and pointers; all
  /// comparisons of numbers except `notEqual`; `>=` and `<` for dates, including `createdAt`.
  /// `validate()` refuses any other condition. The fields must exist on the server, including the
  /// field that marks a soft deletion: a server answers that no record matches a field that it does
  /// not have.
  ///
  /// - Parameter condition: The condition that kept records satisfy.
  /// - Returns: The class with that filter.
  public func filter(_ condition: Condition) -> Entity {
    var entity = self
    entity.recordFilter = condition
    return entity
  }

  /// The same class, of which the app fetches the records that it needs, when it needs them.
  ///
  /// ```swift
  /// Entity("Photo") {
  ///   Field("title", .text)
  ///   Field("takenAt", .date)
  /// }
  /// .onDemand()
  /// ```
  ///
  /// Use it for a class that is too large for a device. A sync lists no records of the class, counts none, and removes no
  /// row because its record is missing. The store has the rows that `SyncCoordinator.fetch(_:upTo:timeout:)` brought, and
  /// those that the app inserted, until `SyncCoordinator.evict(_:)` takes them out.
  ///
  /// Edits are captured and sent as those of any other class. Before a sync sends them, it asks for the edited
  /// records by their ids, so that edits of other clients are merged and noted as conflicts.
  ///
  /// - Returns: The class, fetched on demand.
  public func onDemand() -> Entity {
    var entity = self
    entity.isOnDemand = true
    return entity
  }

  /// The same class, whose new records get an access list.
  ///
  /// ```swift
  /// Entity("Note") {
  ///   Field("text", .text)
  /// }
  /// .access(.creator(.publicRead))
  /// ```
  ///
  /// - Parameter access: The list of a row for which the app gives none; see `insert(_:_:objectID:acl:)`.
  /// - Returns: The class with that default.
  public func access(_ access: DefaultAccess) -> Entity {
    var entity = self
    entity.defaultAccess = access
    return entity
  }

  /// The same class with its own wire format.
  public func serialized(by serializer: any RecordSerializer) -> Entity {
    var entity = self
    entity.serializer = serializer
    return entity
  }
}
