// Ferry: offline-first sync for Parse Server. MIT licence.

extension Schema {
  /// Compares Swift types with the classes of which they are rows.
  ///
  /// A coordinator that is made with `checking:` does the same. Each field of a class, except
  /// relations, needs a property of its name, or a place in the type's `fieldsLeftOut`. The property
  /// must be able to hold values of the field's type. A property without a field would be refused at
  /// each insert, and so would a property of a relation.
  ///
  /// Swift shows the properties of a type only while it decodes one. So Ferry decodes sample values,
  /// and notes what the type asks for. It cannot judge a property whose type refuses all samples for
  /// a reason of its own, as an enumeration of texts does: such a property counts as right. If that
  /// property is not optional, the types of the properties behind it are not judged either.
  /// An `init(from:)` of your own meets the sample values, too.
  ///
  /// ```swift
  /// try schema.check([Game.self])
  /// ```
  ///
  /// - Parameter types: The types, each of one class.
  /// - Throws: `SchemaError` with all problems at once, each with class and field.
  public func check(_ types: [any SyncEntity.Type]) throws(SchemaError) {
    let problems = types.flatMap { type in
      entity(type.className)?.problems(of: type) ?? [unregistered(type)]
    }
    if !problems.isEmpty { throw SchemaError(problems: problems) }
  }

  private func unregistered(_ type: any SyncEntity.Type) -> SchemaError.Problem {
    .init(
      code: .unregisteredClass, className: type.className,
      message: "The type \(type) is for the class \(type.className), which \(name) does not "
        + "register. Register the class, or correct the type's className.")
  }
}

extension Entity {
  fileprivate func problems(of type: any SyncEntity.Type) -> [SchemaError.Problem] {
    let properties = PropertyProbe.properties(of: type, for: self)
    let declared = fields.compactMap { field in
      problem(field, of: type, properties.states[field.name], properties.hasKey(field.name))
    }
    let others = properties.states.filter { self.field($0.key) == nil }.sorted { $0.key < $1.key }
    return declared
      + others.compactMap { name, state in
        EntityProperty.names.contains(name)
          ? state.mismatch.map { mismatched(name, Self.filled(name), $0, type) }
          : undeclared(name, type)
      }
  }

  private func problem(
    _ field: Field, of type: any SyncEntity.Type, _ state: PropertyProbe.State?, _ hasKey: Bool
  ) -> SchemaError.Problem? {
    if field.type.isRelation {
      guard state != nil else { return nil }
      return .init(
        code: .propertyType, className: name, field: field.name,
        message: "The field \(field.name) of \(name) is a relation, which Ferry only reads. Take "
          + "the property out of the type \(type).")
    }
    guard state != nil || hasKey else {
      guard !type.fieldsLeftOut.contains(field.name) else { return nil }
      return .init(
        code: .missingProperty, className: name, field: field.name,
        message: "The type \(type) has no property for the field \(field.name) of \(name). Add "
          + "one, or name the field in the type's fieldsLeftOut.")
    }
    return state?.mismatch.map { mismatched(field.name, field.type.name, $0, type) }
  }

  private func mismatched(
    _ field: String, _ declared: String, _ property: String, _ type: any SyncEntity.Type
  ) -> SchemaError.Problem {
    .init(
      code: .propertyType, className: name, field: field,
      message: "The property \(field) of the type \(type) is of the type \(property), and the "
        + "field \(field) of \(name) is of the type \(declared). Correct one of the two.")
  }

  /// The type of the values that Ferry gives a property without a field.
  private static func filled(_ property: String) -> String {
    property == EntityProperty.objectID ? "String" : "Date"
  }

  private func undeclared(_ property: String, _ type: any SyncEntity.Type) -> SchemaError.Problem {
    .init(
      code: .undeclaredProperty, className: name, field: property,
      message: "The type \(type) has the property \(property), and the class \(name) declares no "
        + "such field. Declare the field, or take the property out.")
  }
}
