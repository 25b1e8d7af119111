// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// A change of one row, by an app on its device or by another client on the server.
public enum Edit: Hashable, Sendable {
  /// A new row of a class.
  case insert(String, className: String, [String: Content])
  /// Other values for fields of a row; under `Fields.accessList`, another access list.
  case set(String, [String: Content])
  /// The end of a row.
  case delete(String)
  /// Other rights for a row, which only another client gives.
  case allow(String, Access)

  /// The name of the row.
  var row: String {
    switch self {
    case .insert(let row, _, _), .set(let row, _), .delete(let row), .allow(let row, _): row
    }
  }

  /// The fields that it sets.
  var fields: [String] {
    switch self {
    case .insert(_, _, let fields), .set(_, let fields): Array(fields.keys)
    case .delete, .allow: []
    }
  }

  /// Whether it changes nothing.
  var isEmpty: Bool { if case .set(_, let fields) = self { fields.isEmpty } else { false } }

  /// Whether it makes a row.
  var isInsert: Bool { if case .insert = self { true } else { false } }

  /// Whether a row with these values is another one afterwards.
  func changes(_ previous: [String: Content]) -> Bool {
    guard case .set(_, let fields) = self else { return true }
    return fields.contains { previous[$0.key] ?? .empty != $0.value }
  }

  /// As a story writes it.
  var text: String {
    switch self {
    case .insert(let row, let className, let fields):
      "insert \(className) \(row) " + Self.text(fields, between: " ")
    case .set(let row, let fields) where fields.keys.contains(Fields.accessList):
      "\(row) is open to everyone"
        + (fields[Fields.accessList]?.role.map { " and role \($0)" } ?? "")
    case .set(let row, let fields): "\(row)." + Self.text(fields, between: ", ", sign: " = ")
    case .delete(let row): "delete \(row)"
    case .allow(let row, let access): "\(row) \(access.text)"
    }
  }

  private static func text(
    _ fields: [String: Content], between: String, sign: String = " "
  ) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.key)\(sign)\($0.value.text)" }
      .joined(separator: between)
  }
}
