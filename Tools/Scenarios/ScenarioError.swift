// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a story's text cannot be read: where, and what was expected there.
public struct ScenarioError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The line of the text, from 1 on.
  public var line: Int
  /// The column of the table, by its title; nil outside of tables.
  public var column: String?
  /// The words that were expected, and those that were found.
  public var message: String

  init(_ message: String, at place: Place) {
    line = place.line
    column = place.column
    self.message = message
  }

  /// Place and message, as `line 12, column "A": expected a field of Game after "g1.", found "="`.
  public var description: String { "\(Place(line: line, column: column)): \(message)" }
}

/// A place in a story's text.
struct Place: Sendable, Hashable, CustomStringConvertible {
  var line: Int
  var column: String?

  var description: String {
    column.map { "line \(line), column \"\($0)\"" } ?? "line \(line)"
  }
}
