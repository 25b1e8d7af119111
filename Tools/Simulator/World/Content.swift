// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The value of a field as a world and its oracle see it: a stamp of who wrote it, or the name of a row.
public enum Content: Hashable, Sendable {
  /// No value.
  case empty
  /// A text, such as the stamp `A17`.
  case text(String)
  /// A number, a stamp as well.
  case number(Int)
  /// A number with a half, which no device can read in a field that is declared as a whole number.
  case half(Int)
  /// A Boolean, such as whether a row is marked as deleted.
  case flag(Bool)
  /// A pointer to the row of a name; to a record outside the world, its class, a colon and its object id.
  case row(String)
  /// Any other number.
  case fraction(Double)
  /// An instant.
  case date(Timestamp)
  /// Bytes.
  case bytes([UInt8])
  /// An object of JSON.
  case object([String: Content])
  /// An array.
  case array([Content])
  /// A place on earth.
  indirect case place(GeoPoint)
  /// An area, whose first corner comes again as the last one.
  case area([GeoPoint])
  /// A file of the server, by its name.
  case file(String)
}

extension Content {
  /// The value of a write in the form of a field.
  static func stamp(_ type: FieldType, _ number: Int, by writer: String) -> Content {
    let text = "\(writer)\(number)"
    return switch type {
    case .text: .text(text)
    case .integer: .number(number)
    case .number: number.isMultiple(of: 2) ? .number(number) : .half(number)
    case .boolean: .flag(number.isMultiple(of: 2))
    case .date: .date(Timestamp(milliseconds: 1_700_000_000_000 + Int64(number)))
    case .pointer(let target): .row("\(target):\(text)")
    case .bytes: .bytes(Array(text.utf8))
    case .object: .object(["by": .text(text), "at": .object(["number": .number(number)])])
    case .array: .array([.text(text), .number(number)])
    case .geoPoint: .place(place(number))
    case .polygon: .area(triangle(at: place(number)))
    case .file: .file("\(text).txt")
    case .relation: .empty
    }
  }

  /// A place for each number up to ten millions, in binary fractions of degrees.
  private static func place(_ number: Int) -> GeoPoint {
    GeoPoint(latitude: Double(number % 1000) / 16, longitude: Double(number / 1000) / 64)
  }

  private static func triangle(at corner: GeoPoint) -> [GeoPoint] {
    let (latitude, longitude) = (corner.latitude, corner.longitude)
    return [
      corner, GeoPoint(latitude: latitude + 1, longitude: longitude),
      GeoPoint(latitude: latitude, longitude: longitude + 1), corner,
    ]
  }

  static func number(_ number: Double) -> Content {
    guard number != number.rounded() else { return .number(Int(number)) }
    return number * 2 == (number * 2).rounded()
      ? .half(Int(number.rounded(.down))) : .fraction(number)
  }

  /// Whether a field of this type takes the value; every field can be empty.
  func fits(_ type: FieldType) -> Bool {
    switch (self, type) {
    case (.empty, _), (.text, .text), (.number, .integer), (.flag, .boolean), (.row, .pointer),
      (.date, .date), (.bytes, .bytes), (.object, .object), (.array, .array), (.place, .geoPoint),
      (.area, .polygon), (.file, .file), (.number, .number), (.half, .number), (.fraction, .number):
      true
    default: false
    }
  }

  /// The names of the rows to which it points.
  var rows: [String] {
    switch self {
    case .row(let name): [name]
    case .array(let elements): elements.flatMap(\.rows)
    case .object(let members): members.values.flatMap(\.rows)
    default: []
    }
  }
}
