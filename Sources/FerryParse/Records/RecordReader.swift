// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

/// Makes records of one class from the wire.
///
/// It makes no dictionary for a record, and no strings except the values themselves. Use one per
/// thread.
package struct RecordReader {
  /// A fault of a record; `PageReader` adds the record's text.
  struct Problem: Error {
    var reason: String
    /// The readable part of a record that carries the soft-delete mark.
    var markedAsDeleted: ServerRecord?
  }

  package let entity: Entity
  private let clientKeyField: String?
  let keys: KeyTable
  let fieldCount: Int
  let plain: PlainColumns
  /// The values of fields that a record does not show.
  let emptyValues: [Value]
  /// Which keys the current record has had; kept to save an allocation for each record.
  private var seen: [Bool]
  /// Which keys any record has shown.
  private var shown: [Bool]

  /// - Parameters:
  ///   - entity: The class.
  ///   - clientKeyField: The name of the field with the client key of creates, if any.
  package init(_ entity: Entity, clientKeyField: String? = nil) {
    self.entity = entity
    self.clientKeyField = clientKeyField
    let fields = entity.serializer == nil ? entity.fields.map(\.name) : []
    keys = KeyTable(Self.ownKeys + fields + (clientKeyField.map { [$0] } ?? []))
    fieldCount = fields.count
    plain = PlainColumns(entity)
    emptyValues = entity.serializer == nil ? entity.fields.map(\.type.emptyValue) : []
    seen = Array(repeating: false, count: keys.count)
    shown = seen
  }

  /// The declared fields that at least one record so far has shown; all where a serializer decides.
  var shownFields: Set<String> {
    let shownKeys = shown.dropFirst(Self.ownKeys.count)
    guard entity.serializer == nil else { return Set(entity.fields.map(\.name)) }
    return Set(zip(entity.fields, shownKeys).filter(\.1).map(\.0.name))
  }

  /// The fields to request besides those that the server always sends.
  package var wireKeys: [String] {
    let keys = entity.serializer?.wireKeys ?? entity.fields.map(\.name)
    return keys + (clientKeyField.map { [$0] } ?? [])
  }

  private static let ownKeys = ["objectId", "createdAt", "updatedAt", "ACL"]

  /// Reads one record.
  mutating func read(_ element: JSONElement) throws -> ServerRecord {
    guard let object = element.object else {
      throw Problem(reason: "It is not a JSON object.")
    }
    var parts = Parts(values: emptyValues)
    var place = 0
    forgetSeen()
    for member in object {
      guard let position = keys.position(of: member.key, from: place) else {
        parts.strangers += 1
        continue
      }
      guard note(position) else {
        throw Problem(reason: "It has the field \(member.name) twice.")
      }
      place = position + 1
      try set(position, member, in: &parts)
    }
    if parts.strangers > 1, let name = object.duplicateKey {
      throw Problem(reason: "It has the field \(name) twice.")
    }
    return try record(from: parts, element)
  }

  /// Begins a record, which has shown no key yet.
  mutating func forgetSeen() {
    for index in seen.indices { seen[index] = false }
  }

  /// Notes that the current record shows a key; false if it did before.
  mutating func note(_ position: Int) -> Bool {
    guard !seen[position] else { return false }
    seen[position] = true
    shown[position] = true
    return true
  }

  /// Whether the current record has shown its id and its stamps.
  var hasSeenIdentity: Bool { seen[0] && seen[1] && seen[2] }

  /// The parts of a record before the check that none is missing.
  private struct Parts {
    var objectID: String?
    var createdAt: Timestamp?
    var version: ServerVersion?
    var acl = Value.null
    var clientKey: String?
    var values: [Value]
    /// Members that the class does not declare.
    var strangers = 0
    /// The values of another type than their fields, in words, by the fields' positions.
    var faults: [(position: Int, reason: String)] = []

    init(values: [Value]) { self.values = values }

    mutating func fault(_ position: Int, _ field: String, _ wanted: String, _ found: String) {
      faults.append((position, "Its field \(field) is not \(wanted) but \(found)."))
    }
  }

  private func set(_ position: Int, _ member: JSONObject.Member, in parts: inout Parts) throws {
    let value = member.value
    switch position {
    case 0:
      parts.objectID = value.string
    case 1:
      parts.createdAt = ParseDate.readText(value)
    case 2:
      parts.version = value.string.map(ServerVersion.init(rawValue:))
      if ParseDate.readText(value) == nil {
        parts.fault(position, "updatedAt", "a date in text", value.kindInWords)
      }
    case 3:
      if let acl = try ParseACL.read(value) {
        parts.acl = acl
      } else {
        parts.fault(position, "ACL", "an object", value.kindInWords)
      }
    case 4..<(4 + fieldCount):
      let field = entity.fields[position - 4]
      guard let read = try field.type.read(value) else {
        return parts.fault(
          position, field.name, field.type.nameInWords, value.kindInWords(insteadOf: field.type))
      }
      if !read.isNull { parts.values[position - 4] = read }
    default:
      parts.clientKey = value.string
    }
  }

  private func record(from parts: Parts, _ element: JSONElement) throws -> ServerRecord {
    guard parts.faults.isEmpty else {
      let faults = parts.faults.sorted { $0.position < $1.position }
      throw Problem(
        reason: faults.map(\.reason).joined(separator: " "), markedAsDeleted: marked(parts))
    }
    var record = try named(parts)
    if let values = try serializedValues(element) { record.values = values }
    return record
  }

  /// The readable part of a record with faults, if it carries the soft-delete mark.
  private func marked(_ parts: Parts) -> ServerRecord? {
    guard entity.serializer == nil, let record = try? named(parts), entity.isFlagged(record) else {
      return nil
    }
    return record
  }

  private func named(_ parts: Parts) throws -> ServerRecord {
    guard let objectID = parts.objectID, !objectID.isEmpty else {
      throw Problem(reason: "It has no objectId.")
    }
    guard let version = parts.version else { throw Problem(reason: "It has no updatedAt.") }
    guard let createdAt = parts.createdAt else {
      throw Problem(reason: "It has no createdAt that is a date.")
    }
    return ServerRecord(
      objectID: objectID, createdAt: createdAt, version: version, acl: parts.acl,
      values: parts.values, clientKey: parts.clientKey)
  }
}

extension RecordReader {
  /// The values that the class's own serializer makes; nil if the class has none.
  private func serializedValues(_ element: JSONElement) throws -> [Value]? {
    guard let serializer = entity.serializer else { return nil }
    var wire = try Value.members(of: element)
    for key in Self.ownKeys + [clientKeyField ?? "objectId"] { wire[key] = nil }
    let fields = try serializer.decode(Fields(wire))
    if let stranger = fields.names.first(where: { entity.field($0) == nil }) {
      throw Problem(reason: "Its serializer gave the field \(stranger), which is not declared.")
    }
    return try entity.fields.map { field in
      let value = fields[field.name] ?? field.type.emptyValue
      guard field.type.accepts(value) else {
        throw Problem(
          reason: "Its serializer gave \(field.name) a value that is not \(field.type.wireName).")
      }
      return value
    }
  }
}
