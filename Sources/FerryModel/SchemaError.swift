// Ferry: offline-first sync for Parse Server. MIT licence.

/// Lists every rule that a schema breaks, each with the way out.
///
/// Nothing has been created or changed when it is thrown.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No class is registered.
    public static let noClasses = Code(rawValue: "no-classes")
    /// The server does not allow such a class name, or keeps that class to itself.
    public static let className = Code(rawValue: "class-name")
    /// A class is registered twice.
    public static let duplicateClass = Code(rawValue: "duplicate-class")
    /// SQLite does not allow such a table name, or it is taken.
    public static let tableName = Code(rawValue: "table-name")
    /// Two classes would share a table.
    public static let twinTables = Code(rawValue: "twin-tables")
    /// A class has more fields than a table can have columns.
    public static let tooManyFields = Code(rawValue: "too-many-fields")
    /// The server does not allow such a field name.
    public static let fieldName = Code(rawValue: "field-name")
    /// The name belongs to what Ferry or the server keeps about every record.
    public static let reservedName = Code(rawValue: "reserved-name")
    /// A field is declared twice.
    public static let duplicateField = Code(rawValue: "duplicate-field")
    /// SQLite does not allow such a column name.
    public static let columnName = Code(rawValue: "column-name")
    /// Two fields would share a column.
    public static let twinColumns = Code(rawValue: "twin-columns")
    /// A field points to what cannot be a class.
    public static let targetClass = Code(rawValue: "target-class")
    /// A default cannot stand in its field.
    public static let defaultValue = Code(rawValue: "default-value")
    /// The field of a soft deletion is missing or no Boolean.
    public static let softDeleteField = Code(rawValue: "soft-delete-field")
    /// A filter that servers may understand otherwise, or that cannot be kept to.
    public static let filter = Code(rawValue: "filter")
  }

  /// One broken rule.
  public struct Problem: Sendable, Equatable {
    /// The rule.
    public var code: Code
    /// The class it is about; nil when it is about the schema.
    public var className: String?
    /// The field it is about; nil when it is about the class.
    public var field: String?
    /// What is wrong and how to put it right, as sentences.
    public var message: String
  }

  /// The broken rules, in the order of the schema.
  public var problems: [Problem]

  package init(problems: [Problem]) { self.problems = problems }

  /// The problems' sentences.
  public var description: String {
    let sentences = problems.map(\.message)
    guard sentences.count > 1 else { return sentences.first ?? "" }
    return (["The schema breaks \(sentences.count) rules:"] + sentences.map { "- \($0)" })
      .joined(separator: "\n")
  }
}
