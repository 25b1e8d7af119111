// Ferry: offline-first sync for Parse Server. MIT licence.

/// Decodes a Swift value from a `Value`, part by part.
struct ValueDecoder: Decoder {
  let value: Value
  let form: CodedForm
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(_ value: Value, in form: CodedForm, codingPath: [any CodingKey] = []) {
    self.value = value
    self.form = form
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    if let json = form.json(in: value) {
      return try ValueDecoder(json, in: .record, codingPath: codingPath).container(keyedBy: type)
    }
    guard case .object(let members) = value else {
      throw value.mismatch([String: Value].self, codingPath)
    }
    return KeyedDecodingContainer(
      ObjectDecoder<Key>(members: members, form: form, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if let json = form.json(in: value) {
      return try ValueDecoder(json, in: .record, codingPath: codingPath).unkeyedContainer()
    }
    guard case .array(let elements) = value else {
      throw value.mismatch([Value].self, codingPath)
    }
    return ArrayDecoder(elements: elements, form: form, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer {
    ScalarDecoder(value: value, form: form, codingPath: codingPath)
  }
}

private struct ObjectDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let members: [String: Value]
  let form: CodedForm
  let codingPath: [any CodingKey]

  var allKeys: [Key] { members.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

  /// A row does not contain fields without a value.
  func decodeNil(forKey key: Key) -> Bool { members[key.stringValue]?.isNull ?? true }

  // Without these, each scalar would be read through three containers.
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    if case .string(let text)? = members[key.stringValue] { return text }
    return try scalar(type, key).decode(type)
  }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    if case .boolean(let truth)? = members[key.stringValue] { return truth }
    return try scalar(type, key).decode(type)
  }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if case .integer(let number)? = members[key.stringValue] { return Int(number) }
    return try scalar(type, key).decode(type)
  }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    if case .integer(let number)? = members[key.stringValue] { return number }
    return try scalar(type, key).decode(type)
  }
  func decode<Decoded: Decodable>(_ type: Decoded.Type, forKey key: Key) throws -> Decoded {
    try scalar(type, key).decode(type)
  }

  private func scalar(_ type: Any.Type, _ key: Key) throws -> ScalarDecoder {
    guard let value = members[key.stringValue], !value.isNull || type == Value.self else {
      let isMissing = form == .columns && members[key.stringValue] == nil
      throw DecodingError.valueNotFound(
        type,
        .init(
          codingPath: codingPath + [key],
          debugDescription: isMissing
            ? "The result has no column \(key.stringValue)."
            : "The \(form == .columns ? "column" : "field") \(key.stringValue) has no value; make the property "
              + "optional."
        ))
    }
    return ScalarDecoder(value: value, form: form, codingPath: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try nested(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try nested(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { nested(WordKey("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { nested(key) }

  private func nested(_ key: some CodingKey) -> ValueDecoder {
    ValueDecoder(members[key.stringValue] ?? .null, in: form, codingPath: codingPath + [key])
  }
}

private struct ArrayDecoder: UnkeyedDecodingContainer {
  let elements: [Value]
  let form: CodedForm
  let codingPath: [any CodingKey]
  var currentIndex = 0

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex >= elements.count }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, elements[currentIndex].isNull else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    let decoder = try next()
    return try ScalarDecoder(value: decoder.value, form: form, codingPath: decoder.codingPath)
      .decode(type)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }
  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }
  mutating func superDecoder() throws -> any Decoder { try next() }

  private mutating func next() throws -> ValueDecoder {
    let path = codingPath + [WordKey("\(currentIndex)")]
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        Value.self, .init(codingPath: path, debugDescription: "The array ends here."))
    }
    currentIndex += 1
    return ValueDecoder(elements[currentIndex - 1], in: form, codingPath: path)
  }
}

private struct ScalarDecoder: SingleValueDecodingContainer {
  let value: Value
  let form: CodedForm
  let codingPath: [any CodingKey]

  func decodeNil() -> Bool { value.isNull }

  func decode(_ type: Bool.Type) throws -> Bool {
    if form == .columns, case .integer(let number) = value, number == 0 || number == 1 {
      return number == 1
    }
    guard case .boolean(let value) = value else { throw value.mismatch(type, codingPath) }
    return value
  }
  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = value else { throw value.mismatch(type, codingPath) }
    return value
  }
  func decode(_ type: Double.Type) throws -> Double {
    guard let value = value.double else { throw value.mismatch(type, codingPath) }
    return value
  }
  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }
  func decode(_ type: Int.Type) throws -> Int { try value.integer(type, codingPath) }
  func decode(_ type: Int8.Type) throws -> Int8 { try value.integer(type, codingPath) }
  func decode(_ type: Int16.Type) throws -> Int16 { try value.integer(type, codingPath) }
  func decode(_ type: Int32.Type) throws -> Int32 { try value.integer(type, codingPath) }
  func decode(_ type: Int64.Type) throws -> Int64 { try value.integer(type, codingPath) }
  func decode(_ type: UInt.Type) throws -> UInt { try value.integer(type, codingPath) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try value.integer(type, codingPath) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try value.integer(type, codingPath) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try value.integer(type, codingPath) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try value.integer(type, codingPath) }
  func decode<Decoded: Decodable>(_ type: Decoded.Type) throws -> Decoded {
    try value.decode(type, in: form, codingPath)
  }
}
