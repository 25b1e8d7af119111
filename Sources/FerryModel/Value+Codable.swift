// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Encodes and decodes values in the form of Parse's REST interface, through Swift's coders.
///
/// Coders of the app use this. `JSONText` reads JSON columns and `StoredJSON` Ferry's notes; the reader of the
/// Parse dialect reads what the server sends.
extension Value: Codable {
  private struct MemberName: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads the wire's form; an object without a known `__type` is a plain object.
  public init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: MemberName.self) {
      var object: [String: Value] = [:]
      for key in members.allKeys {
        object[key.stringValue] = try members.decode(Value.self, forKey: key).nested
      }
      self = Value(wireObject: object) ?? .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [Value] = []
      while !elements.isAtEnd { array.append(try elements.decode(Value.self).nested) }
      self = .array(array)
    } else {
      self = try Value(scalarFrom: decoder.singleValueContainer())
    }
  }

  /// A relation has a meaning only as a field of its own.
  var nested: Value {
    guard case .relation = self else { return self }
    return .object(Dictionary(wireMembers.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 }))
  }

  private init(scalarFrom container: any SingleValueDecodingContainer) throws {
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .boolean(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// The typed value of a wire object with `__type`; nil for any other object.
  ///
  /// An object becomes typed only if writing it again gives the same members. An object that merely
  /// resembles one of Parse's types stays a plain object, so that nothing is lost.
  package init?(wireObject object: [String: Value]) {
    guard let typed = Value(namedBy: object),
      object == Dictionary(typed.wireMembers.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    else { return nil }
    self = typed
  }

  private init?(namedBy object: [String: Value]) {
    guard case .string(let type)? = object["__type"] else { return nil }
    func text(_ key: String) -> String? {
      if case .string(let text)? = object[key] { text } else { nil }
    }
    switch type {
    case "Date": self.init(text("iso").flatMap(Timestamp.init).map(Value.date))
    case "Bytes":
      self.init(text("base64").flatMap { Data(base64Encoded: $0) }.map { .bytes([UInt8]($0)) })
    case "Pointer":
      guard let className = text("className"), let objectID = text("objectId") else { return nil }
      self = .pointer(Pointer(className: className, objectID: objectID))
    case "Relation": self.init(text("className").map { .relation(className: $0) })
    case "File": self.init(text("name").map { .file(File(name: $0, url: text("url"))) })
    case "GeoPoint":
      self.init(GeoPoint(object["latitude"], object["longitude"]).map(Value.geoPoint))
    case "Polygon":
      guard case .array(let pairs)? = object["coordinates"] else { return nil }
      let corners = pairs.compactMap { pair -> GeoPoint? in
        guard case .array(let numbers) = pair, numbers.count == 2 else { return nil }
        return GeoPoint(numbers[0], numbers[1])
      }
      guard corners.count == pairs.count else { return nil }
      self = .polygon(corners)
    default: return nil
    }
  }

  private init?(_ value: Value?) {
    guard let value else { return nil }
    self = value
  }

  /// Writes the wire's form.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .string(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .number(let value):
      // Foundation reads a whole number with an exponent by its digits, which may mean another number.
      if let whole = Int64(exactly: value) {
        try whole.encode(to: encoder)
      } else {
        try value.encode(to: encoder)
      }
    case .boolean(let value): try value.encode(to: encoder)
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .object, .date, .pointer, .bytes, .geoPoint, .polygon, .file, .relation:
      var container = encoder.container(keyedBy: MemberName.self)
      for (key, value) in wireMembers { try container.encode(value, forKey: MemberName(key)) }
    }
  }

  /// The members of the wire object of this value; none for a scalar or an array.
  package var wireMembers: [(key: String, value: Value)] {
    switch self {
    case .object(let members):
      members.inByteOrder
    case .date(let value): [("__type", "Date"), ("iso", .string(value.description))]
    case .bytes(let value):
      [("__type", "Bytes"), ("base64", .string(Data(value).base64EncodedString()))]
    case .relation(let className): [("__type", "Relation"), ("className", .string(className))]
    case .pointer(let value):
      [
        ("__type", "Pointer"), ("className", .string(value.className)),
        ("objectId", .string(value.objectID)),
      ]
    case .geoPoint(let value):
      [
        ("__type", "GeoPoint"), ("latitude", .number(value.latitude)),
        ("longitude", .number(value.longitude)),
      ]
    case .polygon(let corners):
      [
        ("__type", "Polygon"),
        ("coordinates", .array(corners.map { [.number($0.latitude), .number($0.longitude)] })),
      ]
    case .file(let value):
      [("__type", "File"), ("name", .string(value.name))]
        + (value.url.map { [("url", .string($0))] } ?? [])
    case .null, .string, .integer, .number, .boolean, .array: []
    }
  }

  /// Reads JSON text in the wire's form; nil when it is not JSON.
  package init?(wireJSON text: String) {
    guard let value = try? JSONText.value(text) else { return nil }
    self = value
  }
}

extension GeoPoint {
  fileprivate init?(_ latitude: Value?, _ longitude: Value?) {
    guard let latitude = latitude?.double, let longitude = longitude?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

extension Value {
  /// This value as a number, whole or not; nil for any other value.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    case .null, .string, .boolean, .date, .pointer, .bytes, .object, .array, .geoPoint, .polygon,
      .file, .relation:
      nil
    }
  }
}

extension Fields: Codable {
  /// Reads an object in the wire's form.
  public init(from decoder: any Decoder) throws {
    values = try decoder.singleValueContainer().decode([String: Value].self)
  }

  /// Writes an object in the wire's form.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }
}

extension Dictionary where Key == String {
  /// The members as JSON has them, so that equal objects have equal text.
  var inByteOrder: [(key: String, value: Value)] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
