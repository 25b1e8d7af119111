// Ferry: offline-first sync for Parse Server. MIT licence.

/// Encodes a Swift value into a node, part by part.
struct ValueEncoder: Encoder {
  let node: ValueNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ node: ValueNode, codingPath: [any CodingKey] = []) {
    self.node = node
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.beginObject()
    return KeyedEncodingContainer(ObjectEncoder<Key>(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.beginArray()
    return ArrayEncoder(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ScalarEncoder(node: node, codingPath: codingPath)
  }
}

private struct ObjectEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: ValueNode
  let codingPath: [any CodingKey]

  private func scalar(_ key: some CodingKey) -> ScalarEncoder {
    ScalarEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
  }

  func encodeNil(forKey key: Key) throws { node.member(key.stringValue).set(.null) }
  // Without these, each scalar would be written through three containers.
  func encode(_ value: String, forKey key: Key) throws {
    node.member(key.stringValue).set(.string(value))
  }
  func encode(_ value: Bool, forKey key: Key) throws {
    node.member(key.stringValue).set(.boolean(value))
  }
  func encode(_ value: Int, forKey key: Key) throws {
    node.member(key.stringValue).set(.integer(Int64(value)))
  }
  func encode(_ value: Int64, forKey key: Key) throws {
    node.member(key.stringValue).set(.integer(value))
  }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    try scalar(key).encode(value)
  }

  // A nil optional clears a record's field; by itself, Swift would leave the field out.
  private func encodeOptional(_ value: (some Encodable)?, _ key: Key) throws {
    guard let value else { return node.form == .record ? try encodeNil(forKey: key) : () }
    try encode(value, forKey: key)
  }
  func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOptional(value, key) }
  func encodeIfPresent<T: Encodable>(_ value: T?, forKey key: Key) throws {
    try encodeOptional(value, key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    nested(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { nested(WordKey("super")) }
  func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> ValueEncoder {
    ValueEncoder(node.member(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct ArrayEncoder: UnkeyedEncodingContainer {
  let node: ValueNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  func encodeNil() throws { node.element().set(.null) }
  func encode(_ value: some Encodable) throws {
    let path = codingPath + [WordKey("\(count)")]
    try ScalarEncoder(node: node.element(), codingPath: path).encode(value)
  }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    nested().container(keyedBy: type)
  }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  func superEncoder() -> any Encoder { nested() }

  private func nested() -> ValueEncoder {
    ValueEncoder(node.element(), codingPath: codingPath + [WordKey("\(count)")])
  }
}

private struct ScalarEncoder: SingleValueEncodingContainer {
  let node: ValueNode
  let codingPath: [any CodingKey]

  func encodeNil() throws { node.set(.null) }
  func encode(_ value: Bool) throws { node.set(.boolean(value)) }
  func encode(_ value: String) throws { node.set(.string(value)) }
  func encode(_ value: Double) throws { node.set(.number(value)) }
  func encode(_ value: Float) throws { node.set(.number(Double(value))) }
  func encode(_ value: Int) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: Int8) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: Int16) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: Int32) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: Int64) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: UInt) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: UInt8) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: UInt16) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: UInt32) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: UInt64) throws { try node.encodeInteger(value, codingPath) }
  func encode(_ value: some Encodable) throws { try node.encode(value, codingPath) }
}
