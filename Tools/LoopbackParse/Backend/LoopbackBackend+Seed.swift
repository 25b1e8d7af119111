// Ferry: offline-first sync for Parse Server. MIT licence.

/// Rows put into a server without the rules of a request, dates and ids included.
extension LoopbackBackend {
  /// Loads rows by class: `{"Game":[{"objectId":…,"createdAt":…,"updatedAt":…,"title":…}, …], …}`.
  ///
  /// Missing ids are made up, missing dates are the present. A row takes the place of one with the
  /// same id. Use it for sample data and for states that requests cannot bring about, such as many
  /// rows with one `updatedAt`, or stamps finer than the milliseconds that answers show.
  ///
  /// - Parameter classes: an object with an array of rows for each class.
  /// - Throws: ``LoopbackError`` that names class and row; rows before that one stay loaded.
  public mutating func load(_ classes: LoopbackValue) throws(LoopbackError) {
    guard case .object(let members) = classes else {
      throw LoopbackError(code: 107, message: "the data must be an object of classes")
    }
    for (className, rows) in members.sorted(by: { $0.key < $1.key }) {
      guard case .array(let rows) = rows else {
        throw LoopbackError(code: 107, message: "\(className) must be an array of rows")
      }
      for (position, row) in rows.enumerated() {
        do throws(Refusal) {
          try load(row, className)
        } catch {
          throw LoopbackError(
            code: error.error.code,
            message: "\(className), row \(position): \(error.error.message)")
        }
      }
    }
  }

  private mutating func load(_ value: LoopbackValue, _ className: String) throws(Refusal) {
    guard case .object(var fields) = value else {
      throw .parse(107, "a row must be an object")
    }
    let stamp = now
    let objectId = try Self.takeText("objectId", &fields)
    let created = try Self.takeInstant("createdAt", &fields)
    let updated = try Self.takeInstant("updatedAt", &fields)
    let call = Call(
      method: "load", path: "/classes/\(className)", body: [:], caller: .master, stamp: stamp)
    try openClass(className, for: call.caller)
    try enforceSchema(className, fields, for: call.caller)
    var row = Row(
      objectId: objectId ?? freshId(in: className), createdAt: created ?? updated ?? stamp,
      updatedAt: updated ?? created ?? stamp)
    if let list = fields.removeValue(forKey: "ACL") { row.access = AccessList(list) }
    for (name, value) in fields { try set(name, to: value, in: &row, className, call) }
    row.encode(fileAddress: fileAddress)
    commit(row, to: className)
    changeRelations(className, row.objectId, fields)
  }

  private static func takeText(
    _ name: String, _ fields: inout [String: LoopbackValue]
  ) throws(Refusal) -> String? {
    guard let value = fields.removeValue(forKey: name) else { return nil }
    guard let text = value.string, !text.isEmpty else {
      throw .parse(111, "\(name) must be a string that is not empty")
    }
    return text
  }

  private static func takeInstant(
    _ name: String, _ fields: inout [String: LoopbackValue]
  ) throws(Refusal) -> Instant? {
    guard let value = fields.removeValue(forKey: name) else { return nil }
    guard let text = value.string ?? value["iso"]?.string, let instant = Instant.stored(text) else {
      throw .parse(111, "\(name) must be a date such as 2024-05-01T10:00:00.000Z")
    }
    return instant
  }
}
