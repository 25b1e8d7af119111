// Ferry: offline-first sync for Parse Server. MIT licence.

/// One property to sort by.
public struct TypedOrder<Entity: SyncEntity>: Sendable, Hashable {
  /// The order with the name of the field.
  public var order: SortOrder

  /// Any order, such as one along a pointer.
  public init(_ order: SortOrder) { self.order = order }

  /// The least value first; rows without a value come before all others.
  public static func ascending(_ property: PartialKeyPath<Entity>) -> TypedOrder {
    TypedOrder(.ascending(Entity.fieldName(of: property)))
  }

  /// The greatest first; rows without a value after all others.
  public static func descending(_ property: PartialKeyPath<Entity>) -> TypedOrder {
    TypedOrder(.descending(Entity.fieldName(of: property)))
  }
}

extension Query {
  /// A query of a type's class, by key paths; by default for all rows.
  ///
  /// - Parameters:
  ///   - type: The type; its `fieldNames` says which field belongs to a property.
  ///   - condition: The condition of the rows; nil for all rows.
  ///   - order: The sort order; equal rows are sorted by age.
  ///   - limit: The greatest number of rows; nil for all.
  ///   - offset: The number of rows to skip at the start.
  public init<Entity: SyncEntity>(
    _ type: Entity.Type, where condition: TypedCondition<Entity>? = nil,
    orderedBy order: TypedOrder<Entity>..., limit: Int? = nil, offset: Int = 0
  ) {
    self.init(
      type.className, where: condition?.condition, orderedBy: order.map(\.order), limit: limit,
      offset: offset)
  }
}

extension SyncEntity {
  /// The field of a property; for a property without one the key path, which no field is called.
  static func fieldName(of property: PartialKeyPath<Self>) -> String {
    // A key path of the protocol's own `id` would not be equal to one of the type.
    if type(of: property).valueType == LocalID.self { return RecordProperty.localID.rawValue }
    return fieldNames[property] ?? "\(property)"
  }
}
