// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place that an encoder fills with a value.
final class ValueNode {
  enum Content {
    case value(Value)
    case array([ValueNode])
    case object([String: ValueNode])
  }

  let form: CodedForm
  private(set) var content = Content.value(.null)

  init(_ form: CodedForm) { self.form = form }

  var value: Value {
    switch content {
    case .value(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .object(let members): .object(members.mapValues(\.value))
    }
  }

  var count: Int { if case .array(let elements) = content { elements.count } else { 0 } }

  func set(_ value: Value) { content = .value(value) }

  func beginObject() { if case .object = content {} else { content = .object([:]) } }

  func beginArray() { if case .array = content {} else { content = .array([]) } }

  func member(_ name: String) -> ValueNode {
    let node = ValueNode(form)
    if case .object(var members) = content {
      content = .value(.null)
      members[name] = node
      content = .object(members)
    }
    return node
  }

  func element() -> ValueNode {
    let node = ValueNode(form)
    if case .array(var elements) = content {
      content = .value(.null)
      elements.append(node)
      content = .array(elements)
    }
    return node
  }

  /// Fills the place.
  func encode<Encoded: Encodable>(_ value: Encoded, _ codingPath: [any CodingKey]) throws {
    if let whole = form.wholeValue(value) {
      set(whole)
    } else {
      try value.encode(to: ValueEncoder(self, codingPath: codingPath))
    }
  }

  func encodeInteger(_ value: some FixedWidthInteger, _ codingPath: [any CodingKey]) throws {
    guard let integer = Int64(exactly: value) else {
      throw EncodingError.invalidValue(
        value, .init(codingPath: codingPath, debugDescription: "\(value) is too large."))
    }
    set(.integer(integer))
  }
}
