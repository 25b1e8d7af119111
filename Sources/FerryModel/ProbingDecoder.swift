// Ferry: offline-first sync for Parse Server. MIT licence.

/// Tells a probe what a type asks for, and answers with samples.
struct ProbingDecoder: Decoder {
  let probe: PropertyProbe
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    probe.note(keys: { Key(stringValue: $0) != nil })
    return KeyedDecodingContainer(ProbedProperties<Key>(probe: probe))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw noProperties }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw noProperties }

  private var noProperties: DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "A row has named properties."))
  }
}

private struct ProbedProperties<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let probe: PropertyProbe
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { probe.entity.fields.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { !probe.isEmpty(key.stringValue) }
  func decodeNil(forKey key: Key) throws -> Bool { probe.isEmpty(key.stringValue) }
  func decode<Property: Decodable>(_ type: Property.Type, forKey key: Key) throws -> Property {
    try probe.sample(type, of: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { SampleDecoder() }
  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

  /// A property that the type decodes by hand counts as right.
  private func nested(_ key: Key) -> SampleDecoder {
    _ = probe.note(key.stringValue)
    return SampleDecoder()
  }
}
