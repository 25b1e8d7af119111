// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A field of a class, or of a class to which pointers lead from it.
package struct FieldPath: Sendable {
  /// One step along a pointer.
  package struct Hop: Sendable {
    package let field: String
    /// The class to which it leads.
    package let target: String
  }

  /// The greatest number of pointers in a path.
  package static let mostHops = 8

  package let hops: [Hop]
  /// The class of the last field.
  package let className: String
  /// The last field.
  package let name: String
  /// The type of the last field.
  package let type: FieldType
}

extension Entity {
  /// The field of that name, by way of pointers if dots are in it.
  ///
  /// - Throws: `StoreError` for a field that is not declared, one before a dot that is no pointer, and a class
  ///   that is not registered.
  package func path(_ name: String, in schema: Schema) throws(StoreError) -> FieldPath {
    guard !name.hasPrefix("\\") else {
      throw StoreError(
        .unknownField,
        "The key path \(name) has no field of \(self.name), so nothing was read. Add the property with the name of its "
          + "field to the type's fieldNames.")
    }
    guard name.utf8.contains(UInt8(ascii: ".")) else {
      return FieldPath(hops: [], className: self.name, name: name, type: try askableType(name))
    }
    var steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = steps.removeLast()
    guard steps.count <= FieldPath.mostHops else {
      throw StoreError(
        .queryTooLarge,
        "\(name) leads along \(steps.count) pointers, and a query may go along \(FieldPath.mostHops), so nothing "
          + "was read. Ask for the rows on the way by a query of their own.")
    }
    var entity = self
    var hops: [FieldPath.Hop] = []
    for step in steps {
      entity = try entity.target(of: step, along: name, in: schema)
      hops.append(FieldPath.Hop(field: step, target: entity.name))
    }
    return FieldPath(
      hops: hops, className: entity.name, name: last, type: try entity.askableType(last))
  }

  private func target(
    of field: String, along path: String, in schema: Schema
  ) throws(StoreError) -> Entity {
    let type = try askableType(field)
    guard case .pointer(let className) = type else {
      throw StoreError(
        .wrongType,
        "The field \(field) of \(name) is of the type \(type.name) and leads to no other row, so nothing was read "
          + "for \(path). Put only pointers before a dot.")
    }
    if let entity = schema.entity(className) { return entity }
    throw StoreError(
      .unknownClass,
      "\(path) leads to the class \(className), which is not registered, so nothing was read. Add the class to "
        + "\(schema.name), or leave the field out.")
  }
}
