// Ferry: offline-first sync for Parse Server. MIT licence.

extension Value {
  /// The greatest whole number that the server stores exactly.
  package static let largestInteger: Int64 = 9_007_199_254_740_992
  /// How deep arrays and objects may be nested.
  package static let maximumNesting = 100

  /// Why a field of that type may not hold the value; nil if it may.
  package func reason(againstWritingTo type: FieldType) -> WritingRefusal? {
    guard type.accepts(self) else {
      return .type(
        "\(article) cannot stand in a field of the type \(type.name). Write \(type.formForPeople).")
    }
    let kept = type == .integer ? normalized(for: type) : self
    return kept.reasonAgainstSending(depth: 0)
  }

  private func reasonAgainstSending(depth: Int) -> WritingRefusal? {
    switch self {
    case .integer(let number):
      return number.magnitude > UInt64(Self.largestInteger) ? .numberTooLarge(number) : nil
    case .number(let number):
      if !number.isFinite { return .unspeakable("A number must be finite.") }
      return nil
    case .date(let time):
      let isStorable = Timestamp.storable.contains(time)
      return isStorable ? nil : .unspeakable("A date must lie in the years 0001 to 9999.")
    case .array(let elements): return Self.firstReason(in: elements, depth)
    case .object(let members): return Self.firstReason(in: members.values, depth)
    case .geoPoint(let point): return Self.firstReason(in: point.numbers, depth)
    case .polygon(let corners): return Self.firstReason(in: corners.flatMap(\.numbers), depth)
    case .relation where depth > 0:
      return .unspeakable("A relation cannot stand inside an array or an object.")
    case .pointer(let pointer) where pointer.objectID.isEmpty:
      return .unspeakable(
        "A pointer needs an object id. A new row of a snapshot has none until it is saved.")
    case .null, .string, .boolean, .pointer, .bytes, .file, .relation: return nil
    }
  }

  private static func firstReason(
    in values: some Sequence<Value>, _ depth: Int
  ) -> WritingRefusal? {
    guard depth < maximumNesting else {
      return .unspeakable("Arrays and objects are nested more than \(maximumNesting) deep.")
    }
    return values.lazy.compactMap { $0.reasonAgainstSending(depth: depth + 1) }.first
  }

  /// The value as a field of that type stores it: whole or with a fraction, as declared.
  package func normalized(for type: FieldType) -> Value {
    switch type {
    case .number: if case .integer(let number) = self { .number(Double(number)) } else { self }
    case .integer:
      if case .number(let number) = self, let whole = Int64(exactly: number) {
        .integer(whole)
      } else {
        self
      }
    case .text, .boolean, .date, .pointer, .bytes, .object, .array, .geoPoint, .polygon, .file,
      .relation:
      self
    }
  }

  /// The kind of value with its article, for the beginning of a sentence.
  private var article: String {
    switch self {
    case .null: "No value"
    case .string: "A text"
    case .integer: "A whole number"
    case .number: "A number"
    case .boolean: "A Boolean"
    case .date: "A date"
    case .pointer(let pointer): "A pointer to \(pointer.className)"
    case .bytes: "Bytes"
    case .object: "An object"
    case .array: "An array"
    case .geoPoint: "A geo point"
    case .polygon: "A polygon"
    case .file: "A file"
    case .relation: "A relation"
    }
  }
}

extension GeoPoint {
  fileprivate var numbers: [Value] { [.number(latitude), .number(longitude)] }
}

extension FieldType {
  /// The type as `FieldType` spells it, with its target.
  package var name: String {
    switch self {
    case .text: "text"
    case .integer: "integer"
    case .number: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .pointer(let target): "pointer to \(target)"
    case .bytes: "bytes"
    case .object: "object"
    case .array: "array"
    case .geoPoint: "geoPoint"
    case .polygon: "polygon"
    case .file: "file"
    case .relation(let target): "relation to \(target)"
    }
  }

  /// The type with a name; nil if no type has it.
  package init?(name: String) {
    let types: [FieldType] = [
      .text, .integer, .number, .boolean, .date, .bytes, .object, .array, .geoPoint, .polygon,
      .file,
    ]
    if let type = types.first(where: { $0.name == name }) {
      self = type
    } else if name.hasPrefix("pointer to ") {
      self = .pointer(to: String(name.dropFirst("pointer to ".count)))
    } else if name.hasPrefix("relation to ") {
      self = .relation(to: String(name.dropFirst("relation to ".count)))
    } else {
      return nil
    }
  }
}
