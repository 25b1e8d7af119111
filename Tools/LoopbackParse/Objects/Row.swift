// Ferry: offline-first sync for Parse Server. MIT licence.

/// A stored row.
struct Row: Sendable {
  let objectId: String
  var createdAt: Instant
  var updatedAt: Instant
  /// Everything but the four columns every class has.
  ///
  /// A missing field is a missing key; names that begin with an underscore never leave the server.
  var fields: [String: LoopbackValue]
  /// Nil: everyone may do everything.
  var access: AccessList?
  /// The members of the row's JSON object without braces, written once when the row is stored.
  private(set) var encoded: [UInt8] = []

  init(
    objectId: String, createdAt: Instant, updatedAt: Instant,
    fields: [String: LoopbackValue] = [:], access: AccessList? = nil
  ) {
    self.objectId = objectId
    self.createdAt = createdAt
    self.updatedAt = updatedAt
    self.fields = fields
    self.access = access
  }

  /// Writes the row's text; to be called whenever anything of it changed.
  mutating func encode(fileAddress: String) {
    var writer = JSONWriter()
    write(to: &writer, keys: nil, fileAddress: fileAddress)
    encoded = writer.bytes
  }

  /// Writes the members; without `keys` all of them.
  func write(to writer: inout JSONWriter, keys: Set<String>?, fileAddress: String) {
    writer.raw("\"objectId\":")
    writer.string(objectId)
    writer.raw(",\"createdAt\":\"" + createdAt.text + "\",\"updatedAt\":\"" + updatedAt.text + "\"")
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      guard keys?.contains(name) ?? true, !name.hasPrefix("_") else { continue }
      writer.raw(",")
      writer.string(name)
      writer.raw(":")
      writer.write(Self.shown(value, fileAddress: fileAddress))
    }
    if let access {
      writer.raw(",\"ACL\":")
      writer.write(access.value)
    }
  }

  /// The value of a column, by which the database searches.
  func column(_ name: String) -> LoopbackValue? {
    name == "objectId" ? .string(objectId) : fields[name]
  }

  /// The row as a value, as a client with every right sees it.
  func value(fileAddress: String) -> LoopbackValue {
    var members = fields.filter { !$0.key.hasPrefix("_") }
    for (name, value) in members { members[name] = Self.shown(value, fileAddress: fileAddress) }
    members["objectId"] = .string(objectId)
    members["createdAt"] = .string(createdAt.text)
    members["updatedAt"] = .string(updatedAt.text)
    if let access { members["ACL"] = access.value }
    return .object(members)
  }

  /// Of a file only the name is stored; where it can be fetched is said anew each time.
  private static func shown(_ value: LoopbackValue, fileAddress: String) -> LoopbackValue {
    guard value.typeName == "File", let name = value["name"]?.string else { return value }
    return [
      "__type": "File", "name": .string(name), "url": .string(fileAddress + name.asURIComponent),
    ]
  }
}
