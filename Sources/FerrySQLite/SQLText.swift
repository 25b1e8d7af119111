// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The only place that puts a name or a value into a statement's text.
///
/// Names come only from the registered schema, never from a server. Values are bound, except in
/// definitions (defaults and trigger messages), where SQL allows no parameters.
enum SQLText {
  /// A quoted name; it stays one name with any content.
  static func name(_ name: String) -> String {
    quoted(name, by: "\"")
  }

  /// A quoted name of a column in a query.
  ///
  /// SQLite takes a name in double quotes for a text if no column has it. A column that another program has renamed
  /// would then hold its own name in each row.
  static func column(_ name: String) -> String {
    quoted(name, by: "`")
  }

  /// A quoted text; it stays one text with any content.
  static func text(_ text: String) -> String {
    quoted(text, by: "'")
  }

  /// A text between two marks, with each mark in it twice.
  private static func quoted(_ text: String, by mark: Unicode.Scalar) -> String {
    var quoted = String.UnicodeScalarView([mark])
    for scalar in text.unicodeScalars {
      quoted.append(scalar)
      if scalar == mark { quoted.append(scalar) }
    }
    quoted.append(mark)
    return String(quoted)
  }

  /// A value in its column's format, for a column's DEFAULT.
  static func literal(_ value: Value) -> String {
    switch value {
    case .null: "NULL"
    case .string(let text): self.text(text)
    case .integer(let number): String(number)
    case .number(let number): number.isFinite ? number.description : "NULL"
    case .boolean(let flag): flag ? "1" : "0"
    case .date(let time): text(time.description)
    case .pointer(let pointer): text(pointer.objectID)
    case .bytes(let bytes):
      "X'" + bytes.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined() + "'"
    case .object, .array, .geoPoint, .polygon, .file, .relation: text(WireJSON.text(value))
    }
  }

  /// Names or expressions, separated by commas.
  static func list(_ parts: some Sequence<String>) -> String { parts.joined(separator: ", ") }

  /// As many parameters as given, separated by commas.
  static func parameters(_ count: Int) -> String { list(repeatElement("?", count: count)) }
}
