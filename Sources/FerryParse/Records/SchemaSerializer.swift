// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// Makes request bodies from records, by the declared fields or by the class's own serializer.
///
/// A body never contains the server's fields `createdAt`, `updatedAt` and `className`. The body of
/// an update also has no `objectId`, which would rename the row. Relations are left out, because
/// only operations change them.
package struct SchemaSerializer: Sendable {
  package let entity: Entity
  private let clientKeyField: String?

  package init(_ entity: Entity, clientKeyField: String? = nil) {
    self.entity = entity
    self.clientKeyField = clientKeyField
  }

  /// The body of a create: the fields that have a value.
  ///
  /// - Parameters:
  ///   - fields: Declared fields.
  ///   - acl: The access control list; null for the server's default.
  ///   - objectID: The record's id, if the server lets clients choose it.
  ///   - clientKey: The key that identifies this create, if the server chooses the id.
  /// - Returns: The members of the body.
  /// - Throws: A `SerializationError` that names the fields.
  package func createBody(
    _ fields: Fields, acl: Value = .null, objectID: String? = nil, clientKey: String? = nil
  ) throws(SerializationError) -> [String: Value] {
    var body = try wire(fields).filter { !$0.value.isNull }
    if !acl.isNull { body["ACL"] = try sendable(acl, unless: AccessList(acl) == nil) }
    if let clientKey, let clientKeyField { body[clientKeyField] = .string(clientKey) }
    if let objectID { body["objectId"] = .string(objectID) }
    return body
  }

  /// The body of an update: only the given fields; null becomes the operation that clears a field.
  ///
  /// - Parameters:
  ///   - fields: The declared fields that have changed, and the access list, if it has.
  ///   - operations: The operations on further fields.
  /// - Returns: The members of the body; none if only relations were given.
  /// - Throws: A `SerializationError` that names the fields.
  package func updateBody(
    _ fields: Fields, operations: [String: FieldOperation] = [:]
  ) throws(SerializationError) -> [String: Value] {
    var body = try wire(fields.withoutAccessList)
      .mapValues { $0.isNull ? ParseOperation.delete.wire : $0 }
    if let acl = fields[Fields.accessList] {
      body["ACL"] = try sendable(acl, unless: acl.objectionAsAccessList != nil)
    }
    for (name, operation) in operations { body[name] = ParseOperation(operation).wire }
    return body
  }

  /// Why a value of a field cannot be sent; nil if it can.
  package func objection(to value: Value, in field: String) -> SerializationError? {
    if let error = error(of: field, value) { return error }
    do {
      try WireCheck(field: field).check(value)
      return nil
    } catch {
      return error
    }
  }

  /// The checked values by their names on the wire; null for a field to clear.
  private func wire(_ fields: Fields) throws(SerializationError) -> [String: Value] {
    var errors: [SerializationError] = []
    var sound = fields
    for (name, value) in fields.values {
      guard let error = error(of: name, value) else { continue }
      errors.append(error)
      sound[name] = nil
    }
    // A serializer of the class's own must see only values of the declared types.
    if entity.serializer != nil, let error = SerializationError(errors) { throw error }
    let wire = try serialized(sound)
    for (name, value) in wire {
      do {
        try WireCheck(field: name).check(value)
      } catch {
        errors.append(error)
      }
    }
    if let error = SerializationError(errors) { throw error }
    return wire
  }

  /// Why a field cannot hold a value; nil if it can.
  private func error(of name: String, _ value: Value) -> SerializationError? {
    guard let field = entity.field(name) else { return .unknown(name) }
    guard !field.type.accepts(value) else { return nil }
    return SerializationError(
      .wrongType, name, "is of the type \(field.type.wireName) and holds \(value.nameForPeople)",
      "Write \(field.type.formForPeople).")
  }

  private func serialized(_ fields: Fields) throws(SerializationError) -> [String: Value] {
    guard let serializer = entity.serializer else {
      return fields.values.filter { entity.field($0.key)?.type.isRelation == false }
    }
    let wire: Fields
    do {
      wire = try serializer.encode(fields)
    } catch {
      throw SerializationError(
        .serializerRefused, fields.names.joined(separator: ", "),
        "was refused by the serializer of \(entity.name): \(error)", "Edit the record.")
    }
    if let reserved = wire.names.first(where: Self.isReserved) { throw .unknown(reserved) }
    return wire.values
  }

  private static func isReserved(_ name: String) -> Bool {
    ["objectId", "createdAt", "updatedAt", "className", "ACL"].contains(name)
  }

  /// An edit to a list that names nobody would lock everybody out, and no app means that.
  ///
  /// A record that is created again keeps such a list, because only the master key has ever seen it.
  private func sendable(
    _ acl: Value, unless isRefused: Bool
  ) throws(SerializationError) -> Value {
    guard isRefused else { return acl }
    throw SerializationError(
      .badACL, Fields.accessList,
      "cannot be sent",
      "\(acl.objectionAsAccessList ?? "It is no access list.") Give the row a list that names a user, a role, or "
        + "everyone.")
  }
}

extension SerializationError {
  fileprivate static func unknown(_ name: String) -> SerializationError {
    SerializationError(
      .unknownField, name, "is not declared, or is the server's own",
      "Declare it, or leave it out.")
  }
}
