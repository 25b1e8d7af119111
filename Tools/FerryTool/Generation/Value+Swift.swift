// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension Value {
  /// The value as Swift code, where Swift expects a `Value`.
  var swiftCode: String {
    switch self {
    case .null: ".null"
    case .string(let text): ".string(\(text.swiftCode))"
    case .integer(let number): ".integer(\(number))"
    case .number(let number): ".number(\(number))"
    case .boolean(let flag): ".boolean(\(flag))"
    case .date(let time): ".date(Timestamp(milliseconds: \(time.milliseconds)))"
    case .bytes(let bytes): ".bytes(\(bytes))"
    case .pointer(let pointer): ".pointer(\(pointer.swiftCode))"
    case .geoPoint(let point): ".geoPoint(\(point.swiftCode))"
    case .polygon(let corners):
      ".polygon([\(corners.map(\.swiftCode).joined(separator: ", "))])"
    case .file(let file): ".file(\(file.swiftCode))"
    case .array(let elements): ".array(\(Self.swiftCode(of: elements)))"
    case .object(let members): ".object(\(Self.swiftCode(of: members)))"
    case .relation(let className): ".relation(className: \(className.swiftCode))"
    }
  }

  /// The value as Swift code, where Swift expects the type of a property.
  func swiftCodeOfProperty(of type: FieldType) -> String {
    switch self {
    case .null: "nil"
    case .string(let text): text.swiftCode
    case .integer(let number): "\(number)"
    // The number of an integer field may have come with a fraction of zero.
    case .number(let number):
      if type == .integer, let whole = Int64(exactly: number) { "\(whole)" } else { "\(number)" }
    case .boolean(let flag): "\(flag)"
    case .date(let time): "Timestamp(milliseconds: \(time.milliseconds)).date"
    case .bytes(let bytes): "Data(\(bytes) as [UInt8])"
    case .pointer(let pointer): pointer.swiftCode
    case .geoPoint(let point): point.swiftCode
    case .file(let file): file.swiftCode
    case .array(let elements): Self.swiftCode(of: elements)
    case .object(let members): Self.swiftCode(of: members)
    case .polygon, .relation: swiftCode
    }
  }

  private static func swiftCode(of elements: [Value]) -> String {
    "[\(elements.map(\.swiftCode).joined(separator: ", "))]"
  }

  /// Members in one order, so that the code stays the same.
  private static func swiftCode(of members: [String: Value]) -> String {
    guard !members.isEmpty else { return "[:]" }
    let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    return "[\(sorted.map { "\($0.swiftCode): \($1.swiftCode)" }.joined(separator: ", "))]"
  }
}

extension String {
  /// A literal of plain characters, which no editor shows as anything else.
  var swiftCode: String {
    let characters = unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case " "..."~": String(scalar)
      default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return "\"\(characters.joined())\""
  }
}

extension Pointer {
  fileprivate var swiftCode: String {
    "Pointer(className: \(className.swiftCode), objectID: \(objectID.swiftCode))"
  }
}

extension GeoPoint {
  fileprivate var swiftCode: String { "GeoPoint(latitude: \(latitude), longitude: \(longitude))" }
}

extension File {
  fileprivate var swiftCode: String {
    "File(name: \(name.swiftCode)\(url.map { ", url: \($0.swiftCode)" } ?? ""))"
  }
}
