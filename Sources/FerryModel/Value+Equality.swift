// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value: Equatable {
  /// Compares by meaning: numbers by value, dates by instant, objects without key order, files by name.
  public static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.integer(let left), .integer(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.integer(let whole), .number(let number)), (.number(let number), .integer(let whole)):
      Int64(exactly: number) == whole
    case (.boolean(let left), .boolean(let right)): left == right
    case (.date(let left), .date(let right)): left == right
    case (.pointer(let left), .pointer(let right)): left == right
    case (.bytes(let left), .bytes(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    case (.array(let left), .array(let right)): left == right
    case (.geoPoint(let left), .geoPoint(let right)): left == right
    case (.polygon(let left), .polygon(let right)): closed(left) == closed(right)
    case (.file(let left), .file(let right)): left == right
    case (.relation(let left), .relation(let right)): left == right
    default: false
    }
  }

  /// The server closes every ring: it repeats the first corner at the end.
  private static func closed(_ corners: [GeoPoint]) -> [GeoPoint] {
    guard let first = corners.first, corners.last != first else { return corners }
    return corners + [first]
  }
}
