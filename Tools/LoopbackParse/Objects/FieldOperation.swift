// Ferry: offline-first sync for Parse Server. MIT licence.

/// Parse's `__op` values and what they make of a field.
enum FieldOperation {
  /// The value an operation gives a new row; nil for none, and the value itself if it is no operation.
  static func flatten(_ value: LoopbackValue) throws(Refusal) -> LoopbackValue? {
    guard let operation = value["__op"] else { return value }
    switch operation {
    case "Increment":
      guard let amount = value["amount"], amount.number != nil else {
        throw .parse(107, "objects to add must be an array")
      }
      return amount
    case "Add", "AddUnique":
      guard let objects = value["objects"]?.array else {
        throw .parse(107, "objects to add must be an array")
      }
      return .array(objects)
    case "Remove": return []
    default: return nil
    }
  }

  /// The value an operation makes of a stored one; nil leaves the field missing.
  static func apply(
    _ value: LoopbackValue, to stored: LoopbackValue?
  ) throws(Refusal) -> LoopbackValue? {
    switch value["__op"] {
    case "Increment":
      // The database reads a text, and makes null of adding nothing.
      guard let given = value["amount"] else { return nil }
      guard let amount = given.number ?? given.string.flatMap(Double.init) else {
        throw .thrown(driverCode: "22P02", text: "invalid input syntax for type double precision")
      }
      return .number((stored?.number ?? 0) + amount)
    case "Add": return .array(reordered(stored) + (try objects(value)))
    case "AddUnique":
      return .array(shuffled(distinct((stored?.array ?? []) + (try objects(value)))))
    case "Remove":
      let gone = try objects(value)
      return .array((stored?.array ?? []).filter { !gone.contains($0) })
    case "Delete": return nil
    default: throw .bare
    }
  }

  private static func objects(_ value: LoopbackValue) throws(Refusal) -> [LoopbackValue] {
    guard let objects = value["objects"]?.array else {
      throw .thrown(driverCode: "22023", text: "cannot extract elements from a scalar")
    }
    return objects
  }

  /// PostgreSQL makes the stored elements distinct before it adds to them, and loses their order.
  private static func reordered(_ stored: LoopbackValue?) -> [LoopbackValue] {
    distinct(stored?.array ?? []).reversed()
  }

  private static func distinct(_ elements: [LoopbackValue]) -> [LoopbackValue] {
    var seen: Set<LoopbackValue> = []
    return elements.filter { seen.insert($0).inserted }
  }

  /// One order for the same elements, and not a natural one, as PostgreSQL's hashes make it.
  private static func shuffled(_ elements: [LoopbackValue]) -> [LoopbackValue] {
    let sorted = elements.sorted { JSONWriter.text(of: $0) < JSONWriter.text(of: $1) }
    return Array(sorted.dropFirst() + sorted.prefix(1))
  }
}
