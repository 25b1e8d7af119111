// Ferry: offline-first sync for Parse Server. MIT licence.

/// The header fields of a request or an answer, in order.
///
/// Names are compared without regard to case. Descriptions show only the values of a short list of
/// harmless names; they mask all other values, which may be secrets.
///
/// ```swift
/// var headers: HTTPHeaders = ["X-Parse-Application-Id": "games"]
/// headers["x-parse-application-id"]  // "games"
/// print(headers)                     // X-Parse-Application-Id: •••
/// ```
public struct HTTPHeaders: Hashable, Sendable {
  /// One header field.
  public struct Field: Hashable, Sendable {
    /// The name, spelled as it was given.
    public var name: String
    /// The value, without white space at its ends.
    public var value: String
  }

  /// The fields in order; a name may occur more than once.
  public private(set) var fields: [Field] = []

  /// Makes an empty set of headers.
  public init() {}

  /// The first value of a name; setting it replaces all values, and nil removes them.
  public subscript(name: String) -> String? {
    get { fields.first { sameName($0.name, name) }?.value }
    set {
      guard let newValue else { return fields.removeAll { sameName($0.name, name) } }
      guard let first = fields.firstIndex(where: { sameName($0.name, name) }) else {
        return fields.append(Field(name: name, value: newValue))
      }
      fields[first].value = newValue
      let rest = fields[(first + 1)...].filter { !sameName($0.name, name) }
      fields.replaceSubrange((first + 1)..., with: rest)
    }
  }

  /// Appends a field, even if its name exists already.
  public mutating func add(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// Adds the fields of other headers, which replace fields of the same names.
  public mutating func merge(_ others: HTTPHeaders) {
    for field in others.fields { self[field.name] = field.value }
  }

  /// The name of a field that cannot be sent, or nil if all can.
  ///
  /// A line break in a value would end the field and start another one of the sender's choice. This
  /// happens, for example, to a key that was read from a file together with its last line break.
  package var unsendableName: String? {
    fields.first { !isToken($0.name) || !isFieldValue($0.value) }?.name
  }
}

/// Whether two header names are equal without regard to case.
private func sameName(_ one: String, _ other: String) -> Bool {
  one.utf8.elementsEqual(other.utf8) { lowercased($0) == lowercased($1) }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
  (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}

private func isToken(_ name: String) -> Bool {
  !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
}

private func isFieldValue(_ value: String) -> Bool {
  value.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F) || $0 == UInt8(ascii: "\t") }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  /// Makes headers from names and values, in the order they are written.
  public init(dictionaryLiteral elements: (String, String)...) {
    fields = elements.map { Field(name: $0.0, value: $0.1) }
  }
}
