// Ferry: offline-first sync for Parse Server. MIT licence.

extension FieldType {
  /// A form of value that a field of this type takes from an app and in SQL, with an example.
  package var formForPeople: String {
    switch self {
    case .text: "a text, such as 'Final'"
    case .integer: "a whole number, such as 12"
    case .number: "a number, such as 12.5"
    case .boolean: "true or false, in SQL 1 or 0"
    case .date: "a date of UTC, such as 2026-03-01T18:30:00.250Z or 2026-03-01"
    case .pointer(let target): "a pointer to \(target), in SQL the objectId of its row"
    case .bytes: "bytes, in SQL a blob such as x'6869'"
    case .object: #"an object with a name of its own for each member, in SQL JSON such as {"a":1}"#
    case .array: #"an array, in SQL JSON such as ["a",1]"#
    case .geoPoint:
      #"a point, in SQL JSON such as {"__type":"GeoPoint","latitude":52.5,"longitude":13.4}"#
    case .polygon:
      #"a polygon, in SQL JSON such as {"__type":"Polygon","coordinates":[[0,0],[0,1],[1,1]]}"#
    case .file:
      #"a file, in SQL JSON such as {"__type":"File","name":"a.png","url":"https://example.com/a.png"}"#
    case .relation(let target):
      #"the relation as it was, in SQL {"__type":"Relation","className":"\#(target)"}, because its "#
        + "members are rows of another class; or discard the change"
    }
  }
}

extension Value {
  /// The value within a sentence: scalars short enough for a line, everything else by its kind.
  package var nameForPeople: String {
    switch self {
    case .null: "no value"
    case .string(let text):
      "the text “\(text.prefix(Self.shownCharacters))\(text.count > Self.shownCharacters ? "…" : "")”"
    case .integer(let number): "the number \(number)"
    case .number(let number): "the number \(number)"
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): "the date \(date)"
    case .pointer(let pointer): "a pointer to \(pointer.className)"
    case .bytes: "bytes"
    case .object: "an object"
    case .array: "an array"
    case .geoPoint: "a geo point"
    case .polygon: "a polygon"
    case .file: "a file"
    case .relation: "a relation"
    }
  }

  /// A text may be personal, so that messages show only its beginning.
  private static let shownCharacters = 24
}
