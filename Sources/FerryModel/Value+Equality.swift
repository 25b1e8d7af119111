// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value: Equatable {
  /// Compares by meaning: numbers by value, dates by instant, objects without key order, files by name.
  public static func == (left: Value, right: Value) -> Bool {
    switch left {
    case .null: return right.isNull
    case .string(let left):
      if case .string(let right) = right { return left.utf8.elementsEqual(right.utf8) }
    case .integer(let left):
      if case .integer(let right) = right { return left == right }
      if case .number(let right) = right { return Int64(exactly: right) == left }
    case .number(let left):
      if case .number(let right) = right { return left == right }
      if case .integer(let right) = right { return Int64(exactly: left) == right }
    case .boolean(let left): if case .boolean(let right) = right { return left == right }
    case .date(let left): if case .date(let right) = right { return left == right }
    case .pointer(let left): if case .pointer(let right) = right { return left == right }
    case .bytes(let left): if case .bytes(let right) = right { return left == right }
    case .object(let left):
      if case .object(let right) = right { return haveEqualMembers(left, right) }
    case .array(let left): if case .array(let right) = right { return left == right }
    case .geoPoint(let left): if case .geoPoint(let right) = right { return left == right }
    case .polygon(let left):
      if case .polygon(let right) = right { return closed(left) == closed(right) }
    case .file(let left): if case .file(let right) = right { return left == right }
    case .relation(let left): if case .relation(let right) = right { return left == right }
    }
    return false
  }

  /// The server tells names apart whose Unicode forms alone differ.
  private static func haveEqualMembers(
    _ left: [String: Value], _ right: [String: Value]
  ) -> Bool {
    guard left.count == right.count else { return false }
    return left.allSatisfy { name, value in
      guard let index = right.index(forKey: name) else { return false }
      return right[index].key.utf8.elementsEqual(name.utf8) && right[index].value == value
    }
  }

  /// The server closes every ring: it repeats the first corner at the end.
  private static func closed(_ corners: [GeoPoint]) -> [GeoPoint] {
    guard let first = corners.first, corners.last != first else { return corners }
    return corners + [first]
  }
}
