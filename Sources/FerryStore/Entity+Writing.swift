// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Schema {
  /// The class with that name.
  ///
  /// - Throws: `StoreError` if it is not registered.
  package func registered(_ className: String) throws(StoreError) -> Entity {
    if let entity = entity(className) { return entity }
    throw StoreError(
      .unknownClass,
      "The class \(className) is not registered, so nothing was read or written; "
        + "add it to \(name).")
  }

  /// Checks the rules of a schema when a store opens.
  package func checkForStore() throws(StoreError) {
    do {
      try validate()
    } catch {
      throw StoreError(.invalidSchema, error.description, cause: error)
    }
  }
}

extension Entity {
  /// The values of a new row that gives none.
  var initialFields: Fields {
    Fields(
      Dictionary(
        fields.map { ($0.name, $0.initialValue.normalized(for: $0.type)) },
        uniquingKeysWith: { first, _ in first }))
  }

  /// The app's values, checked and converted to the declared types.
  ///
  /// Nobody writes a relation. But plain SQL may have written something else into its column, and an edit of the row may
  /// give it back the value that the field has in each row.
  ///
  /// - Parameters:
  ///   - fields: The values.
  ///   - isRowPresent: Whether they are written over those of a row.
  /// - Returns: The values as rows have them.
  /// - Throws: `StoreError` for a field that is not declared or a value that the field cannot hold.
  package func normalized(
    _ fields: Fields, isRowPresent: Bool = false
  ) throws(StoreError) -> Fields {
    var normalized = Fields()
    for name in fields.names {
      let field = try declaredField(name)
      let value = fields[name] ?? .null
      if case .relation(let target) = field.type {
        if isRowPresent, value == .relation(className: target) {
          normalized[name] = value
          continue
        }
        throw StoreError(
          .wrongType,
          "The field \(name) of \(self.name) is a relation, which is read only; "
            + "nothing was written. Leave it out.")
      }
      if let refusal = value.reason(againstWritingTo: field.type) {
        throw StoreError(
          refusal.code,
          "The field \(name) of \(self.name) was not written: \(refusal.sentence) "
            + "Nothing else was written either; correct the value and write again.")
      }
      normalized[name] = value.normalized(for: field.type)
    }
    return normalized
  }

  /// The field with that name.
  ///
  /// - Throws: `StoreError` if it is not declared.
  package func declaredField(_ name: String) throws(StoreError) -> Field {
    if let field = field(name) { return field }
    guard !["objectId", "createdAt", "updatedAt", "acl"].contains(name) else {
      throw StoreError(
        .unknownField,
        name == Fields.accessList
          ? "The access list of \(self.name) is no field, so nothing was read or written; give it as the argument acl."
          : "Ferry and the server set \(name) of \(self.name), so nothing was read or written; leave it out."
      )
    }
    throw StoreError(
      .unknownField,
      "The class \(self.name) has no field \(name), so nothing was read or written; "
        + "declare the field or correct its name.")
  }

  /// Checks an object id that the app chose for a new row.
  package func checkObjectID(_ objectID: String) throws(StoreError) {
    guard objectID.isEmpty else { return }
    throw StoreError(
      .wrongType,
      "The row of \(name) was not inserted: an object id cannot be empty. Give one, or none.")
  }
}

extension WritingRefusal {
  fileprivate var code: StoreError.Code {
    switch self {
    case .type, .unspeakable: .wrongType
    case .numberTooLarge: .numberTooLarge
    }
  }
}
