// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Makes the operation for an entry from its row's present values; a pure function.
struct WritePreparation {
  let schema: Schema
  /// Whether the server stores a create under its given id.
  let usesCustomIDs: Bool
  let clientKeyField: String
  /// The user in whose name the changes are sent; nil for nobody.
  let userID: String?
  let now: Timestamp
  let token: HistoryToken

  enum Result {
    case write(PreparedWrite)
    case refused(Refusal)
    /// Nothing is left to send, because the app restored the old values or deleted the row.
    case nothing
  }

  func prepare(
    _ entry: OutboxEntry, record: Record?, withheld: Set<String>
  ) -> Result {
    guard let entity = schema.entity(entry.className) else { return .nothing }
    if let membership = entity.membership { return prepare(entry, of: membership, record: record) }
    let serializer = SchemaSerializer(entity, clientKeyField: clientKeyField)
    do {
      // Also of a create: it is sent by its class, and could never be read or changed by its id.
      _ = try ParsePath(className: entry.className, objectID: entry.objectID)
    } catch {
      return .refused(Refusal(reason: .unserializable, message: Self.unusableID(entry)))
    }
    do {
      switch entry.kind {
      case .create: return try create(entry, record, withheld, serializer)
      case .update: return try update(entry, record, withheld, serializer)
      case .delete: return try delete(entry, entity, serializer)
      case .deleteAfterCreate: return .nothing
      }
    } catch {
      return .refused(.unserializable(error))
    }
  }

  private static func unusableID(_ entry: OutboxEntry) -> String {
    "No server could find a record by the object id \(entry.objectID.debugDescription). The change was "
      + "not sent and is kept here. Insert the row again under another id, and delete this one."
  }

  private func create(
    _ entry: OutboxEntry, _ record: Record?, _ withheld: Set<String>,
    _ serializer: SchemaSerializer
  ) throws(SerializationError) -> Result {
    guard let record else { return .nothing }
    var wanted =
      withheld.isEmpty
      ? record.fields : Fields(record.fields.values.filter { !withheld.contains($0.key) })
    // Whichever of several creates arrives, what the app has added since is then known.
    if let earlier = entry.attempts.last(where: { $0.kind == .create })?.carried {
      for field in serializer.entity.fields where field.merge == .increment {
        wanted[field.name] = earlier[field.name]
      }
    }
    // The stage holds the class back while its default needs a user and there is none.
    guard let acl = serializer.entity.defaultAccess.acl(of: record, createdBy: userID) else {
      return .nothing
    }
    let (body, fields, unsendable) = try sendable(wanted, serializer) {
      fields throws(SerializationError) in
      try serializer.createBody(
        fields, acl: acl, objectID: usesCustomIDs ? entry.objectID : nil,
        clientKey: usesCustomIDs ? nil : entry.objectID)
    }
    let operation = WriteOperation.create(className: entry.className, body: body)
    let numbers = fields.only(serializer.entity.counters)
    let sent = Fields(fields.values.filter { numbers[$0.key] == nil })
    var prepared = write(
      entry, operation, sent: sent.including(accessList: acl), withheld: withheld,
      unsendable: unsendable)
    if !numbers.isEmpty {
      prepared.sent.attempt.increments = SentIncrements(targets: numbers, versions: [])
    }
    return .write(prepared)
  }

  private func update(
    _ entry: OutboxEntry, _ record: Record?, _ withheld: Set<String>,
    _ serializer: SchemaSerializer
  ) throws(SerializationError) -> Result {
    let names = entry.changed.subtracting(withheld)
    guard let record, !names.isEmpty else { return .nothing }
    var wanted = Fields()
    let contents = record.contents
    var operations: [String: FieldOperation] = [:]
    var targets = Fields()
    for name in names {
      let (base, value) = (entry.base[name] ?? .null, contents[name] ?? .null)
      let merge = serializer.entity.field(name)?.merge
      // A value that cannot be sent is refused as a whole.
      guard let operation = FieldOperation(merge, from: base, to: value),
        serializer.entity.serializer == nil, serializer.objection(to: value, in: name) == nil
      else {
        wanted[name] = value
        continue
      }
      operations[name] = operation
      targets[name] = operation.target(from: base, to: value)
    }
    if wanted[Fields.accessList] == .null { wanted[Fields.accessList] = nil }
    guard !wanted.isEmpty || !operations.isEmpty else { return .nothing }
    let (body, fields, unsendable) = try sendable(wanted, beside: operations, serializer) {
      fields throws(SerializationError) in
      try serializer.updateBody(fields, operations: operations)
    }
    let operation = WriteOperation.update(
      className: entry.className, objectID: entry.objectID, body: body)
    // An array's operation may be repeated, as a value may.
    let additions = Set(operations.filter { !$1.isRepeatable }.keys)
    let repeatable = targets.only(Set(operations.keys).subtracting(additions))
    // A number that is cleared is in doubt like an addition: what is added later depends on it.
    let increments = targets.only(additions).merging(fields.only(serializer.entity.counters))
    var prepared = write(
      entry, operation, sent: fields.merging(repeatable), withheld: withheld,
      unsendable: unsendable)
    prepared.sent.attempt.elements = SentElements(operations)
    if !increments.isEmpty {
      prepared.sent.attempt.increments = SentIncrements(
        targets: increments,
        versions: Set(entry.knownVersions(of: record).map(\.rawValue)))
    }
    return .write(prepared)
  }

  /// Makes the body of the fields that can be sent, and parts them from those that cannot; throws where none can.
  private func sendable(
    _ fields: Fields, beside operations: [String: FieldOperation] = [:],
    _ serializer: SchemaSerializer,
    body: (Fields) throws(SerializationError) -> [String: Value]
  ) throws(SerializationError) -> (
    body: [String: Value], fields: Fields, unsendable: UnsendableFields
  ) {
    do {
      return (try body(fields), fields, UnsendableFields())
    } catch let whole {
      // A serializer of the class's own makes one body of all fields.
      guard serializer.entity.serializer == nil else { throw whole }
      var unsendable = UnsendableFields()
      for (name, value) in fields.values {
        do {
          _ = try serializer.updateBody([name: value])
        } catch {
          unsendable.names.insert(name)
        }
      }
      let rest = Fields(fields.values.filter { !unsendable.names.contains($0.key) })
      guard !operations.isEmpty || rest.values.contains(where: { !$1.isNull }) else { throw whole }
      unsendable.refusal = .unserializable(whole)
      return (try body(rest), rest, unsendable)
    }
  }

  private func delete(
    _ entry: OutboxEntry, _ entity: Entity, _ serializer: SchemaSerializer
  ) throws(SerializationError) -> Result {
    guard case .softDelete(let field) = entity.deletionStrategy else {
      let operation = WriteOperation.delete(className: entry.className, objectID: entry.objectID)
      return .write(write(entry, operation, sent: Fields()))
    }
    let flag: Fields = [field: true]
    let operation = WriteOperation.update(
      className: entry.className, objectID: entry.objectID, body: try serializer.updateBody(flag))
    return .write(write(entry, operation, sent: flag))
  }

  func write(
    _ entry: OutboxEntry, _ operation: WriteOperation, sent: Fields, withheld: Set<String> = [],
    unsendable: UnsendableFields = UnsendableFields(), addsMember: Bool = false
  ) -> PreparedWrite {
    PreparedWrite(
      operation: operation,
      sent: SentWrite(
        key: entry.key, objectID: entry.objectID,
        attempt: Attempt(
          kind: entry.kind, sent: sent, withheld: withheld.union(unsendable.names), token: token,
          startedAt: now),
        asksForID: entry.kind == .create && (usesCustomIDs || addsMember), unsendable: unsendable,
        addsMember: addsMember))
  }
}

extension Refusal {
  /// The change cannot be written in the server's format.
  fileprivate static func unserializable(_ error: any Error) -> Refusal {
    Refusal(reason: .unserializable, message: "\(error)")
  }
}
