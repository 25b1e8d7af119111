// Ferry: offline-first sync for Parse Server. MIT licence.

/// Answers each question of a type with a value of the kind that it asks for.
///
/// So a property that is an object of the app's own type gets a value.
struct SampleDecoder: Decoder {
  var codingPath: [any CodingKey] = []
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  /// A value of the type; nil if it takes no sample.
  static func value<Sample: Decodable>(of type: Sample.Type) -> Sample? {
    if let cases = type as? any CaseIterable.Type, let first = cases.firstCase as? Sample {
      return first
    }
    return try? SampleDecoder().sample(type)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SampleMembers<Key>(decoder: self))
  }
  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { SampleElements(decoder: self) }
  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SampleScalar(decoder: self)
  }

  fileprivate func sample<Sample: Decodable>(_ type: Sample.Type) throws -> Sample {
    for value in Self.samples {
      if let sample = try? value.decode(type, in: .record, codingPath) { return sample }
    }
    // A type that contains itself would never end.
    guard codingPath.count < 16 else {
      throw DecodingError.valueNotFound(
        type, .init(codingPath: codingPath, debugDescription: "There is no sample."))
    }
    return try Sample(from: SampleDecoder(codingPath: codingPath + [WordKey("sample")]))
  }

  private static let samples: [Value] = [
    "https://example.com/a", 1, 0, 0.5, true, .date(Timestamp(milliseconds: 0)), .bytes([]),
    .pointer(Pointer(className: "A", objectID: "a")), .file(File(name: "a")),
    .geoPoint(GeoPoint(latitude: 0, longitude: 0)), .array([]), .object([:]),
  ]
}

private struct SampleMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { [] }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) throws -> Bool { true }
  func decode<Sample: Decodable>(_ type: Sample.Type, forKey key: Key) throws -> Sample {
    try decoder.sample(type)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { decoder }
  func superDecoder(forKey key: Key) throws -> any Decoder { decoder }
}

private struct SampleElements: UnkeyedDecodingContainer {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { 0 }
  var isAtEnd: Bool { true }
  var currentIndex: Int { 0 }

  mutating func decodeNil() throws -> Bool { true }
  /// There are no elements: a type may read until an error.
  mutating func decode<Sample: Decodable>(_ type: Sample.Type) throws -> Sample {
    throw DecodingError.valueNotFound(
      type, .init(codingPath: codingPath, debugDescription: "The list is empty."))
  }
  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { self }
  mutating func superDecoder() throws -> any Decoder { decoder }
}

private struct SampleScalar: SingleValueDecodingContainer {
  let decoder: SampleDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { false }
  func decode<Sample: Decodable>(_ type: Sample.Type) throws -> Sample {
    try decoder.sample(type)
  }
}

extension CaseIterable {
  fileprivate static var firstCase: Any? { allCases.first }
}
