// Ferry: offline-first sync for Parse Server. MIT licence.

/// A condition of the rows of a type, by key paths of its properties.
///
/// It is the same as the `Condition` with the fields' names. The type says these in `fieldNames`.
///
/// ```swift
/// struct Match: SyncEntity {
///   static let className = "Game"
///   static var fieldNames: [PartialKeyPath<Match>: String] { [\.title: "title", \.score: "score"] }
///   var id = LocalID()
///   var title: String?
///   var score: Int?
/// }
///
/// let finals = Query(
///   Match.self, where: \.score > 2 && \.title == "Final", orderedBy: .descending(\.score), limit: 10)
/// let matches = try store.read { try $0.all(finals, as: Match.self) }
/// ```
///
/// A comparison with `nil` by `==` asks for a missing value. A key path that `fieldNames` leaves out is an error when
/// the store reads: `unknownField`.
public struct TypedCondition<Entity: SyncEntity>: Sendable, Equatable {
  /// The condition with the names of the fields.
  public var condition: Condition

  /// Any condition, such as one along a pointer.
  public init(_ condition: Condition) { self.condition = condition }

  fileprivate init(
    _ property: PartialKeyPath<Entity>, _ comparison: Condition.Comparison, _ value: some FieldValue
  ) {
    condition = .field(Entity.fieldName(of: property), comparison, value.fieldValue)
  }

  /// The property has one of the values.
  public static func oneOf<Property: FieldValue>(
    _ property: KeyPath<Entity, Property>, _ values: [Property]
  ) -> TypedCondition {
    TypedCondition(.oneOf(Entity.fieldName(of: property), values.map(\.fieldValue)))
  }

  /// The property has no value.
  public static func isNull(_ property: PartialKeyPath<Entity>) -> TypedCondition {
    TypedCondition(.isNull(Entity.fieldName(of: property)))
  }

  /// The text of the property matches.
  public static func text(
    _ property: PartialKeyPath<Entity>, _ match: TextMatch, _ options: TextOptions = .exact
  ) -> TypedCondition {
    TypedCondition(.text(Entity.fieldName(of: property), match, options))
  }

  /// The array has an element that equals a value.
  public static func contains(
    _ property: PartialKeyPath<Entity>, _ element: some FieldValue
  ) -> TypedCondition {
    TypedCondition(.contains(Entity.fieldName(of: property), element.fieldValue))
  }

  /// The place lies in an area.
  public static func within(
    _ property: PartialKeyPath<Entity>, _ area: GeoArea
  ) -> TypedCondition {
    TypedCondition(.within(Entity.fieldName(of: property), area))
  }

  /// The value is among those of a field of the rows of another query, by default their object ids.
  public static func among(
    _ property: PartialKeyPath<Entity>, _ query: Query, of field: String = "objectId"
  ) -> TypedCondition {
    TypedCondition(.among(Entity.fieldName(of: property), query, of: field))
  }

  /// The row has a change that the server does not have yet, in one of the states.
  public static func unsent(_ states: Set<UnsentState>) -> TypedCondition {
    TypedCondition(.unsent(states))
  }

  /// The row has a change that the server does not have yet, in any state.
  public static var isUnsent: TypedCondition { TypedCondition(.isUnsent) }

  /// Both conditions hold.
  public static func && (left: TypedCondition, right: TypedCondition) -> TypedCondition {
    TypedCondition(left.condition && right.condition)
  }

  /// At least one of the two conditions holds.
  public static func || (left: TypedCondition, right: TypedCondition) -> TypedCondition {
    TypedCondition(left.condition || right.condition)
  }

  /// The condition does not hold.
  public static prefix func ! (condition: TypedCondition) -> TypedCondition {
    TypedCondition(!condition.condition)
  }
}

/// The property has the value; nil asks for a missing value.
public func == <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  value.fieldValue.isNull ? .isNull(property) : TypedCondition(property, .equal, value)
}

/// The property has another value; nil asks for any value.
public func != <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  value.fieldValue.isNull ? !.isNull(property) : TypedCondition(property, .notEqual, value)
}

/// The property is less, or earlier.
public func < <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  TypedCondition(property, .lessThan, value)
}

/// The property is less or equal.
public func <= <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  TypedCondition(property, .lessThanOrEqual, value)
}

/// The property is greater, or later.
public func > <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  TypedCondition(property, .greaterThan, value)
}

/// The property is greater or equal.
public func >= <Entity: SyncEntity, Property: FieldValue>(
  property: KeyPath<Entity, Property>, value: Property
) -> TypedCondition<Entity> {
  TypedCondition(property, .greaterThanOrEqual, value)
}
