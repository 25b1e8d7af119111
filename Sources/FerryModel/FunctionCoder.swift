// Ferry: offline-first sync for Parse Server. MIT licence.

/// Turns Swift values into the parameters of a function of Cloud Code, and its result into a Swift value.
package enum FunctionCoder {
  /// The parameters; a missing optional is left out.
  ///
  /// - Parameter value: A value with named properties, or a dictionary.
  /// - Returns: The parameters by name.
  /// - Throws: `EncodingError`, also for a value without named parts.
  package static func parameters(_ value: some Encodable) throws -> [String: Value] {
    let node = ValueNode(.function)
    try node.encode(value, [])
    guard case .object(let members) = node.value else {
      throw EncodingError.invalidValue(
        value,
        .init(
          codingPath: [],
          debugDescription:
            "Parameters need names: give a dictionary, or a type with named properties."))
    }
    return members
  }

  /// The Swift value of a result.
  ///
  /// - Parameters:
  ///   - result: The result; null for none.
  ///   - type: The type of the value.
  /// - Returns: The value.
  /// - Throws: `DecodingError` for a result of another form.
  package static func value<Decoded: Decodable>(
    of result: Value, as type: Decoded.Type
  ) throws -> Decoded {
    try result.decode(type, in: .function, [])
  }
}
