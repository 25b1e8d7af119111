// Ferry: offline-first sync for Parse Server. MIT licence.

/// Lists every rule that a schema breaks, or every property that does not fit it, each with a remedy.
///
/// The store has created and changed nothing when it throws this error.
public struct SchemaError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The rule that was broken; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No class is registered.
    public static let noClasses = Code(rawValue: "no-classes")
    /// The server does not allow the class name, or reserves the class for itself.
    public static let className = Code(rawValue: "class-name")
    /// A class is registered twice.
    public static let duplicateClass = Code(rawValue: "duplicate-class")
    /// SQLite does not allow the table name, or another table uses it.
    public static let tableName = Code(rawValue: "table-name")
    /// Two classes would share a table.
    public static let twinTables = Code(rawValue: "twin-tables")
    /// A class has more fields than a table can have columns.
    public static let tooManyFields = Code(rawValue: "too-many-fields")
    /// The server does not allow such a field name.
    public static let fieldName = Code(rawValue: "field-name")
    /// Ferry or the server uses the name for every record.
    public static let reservedName = Code(rawValue: "reserved-name")
    /// A field is declared twice.
    public static let duplicateField = Code(rawValue: "duplicate-field")
    /// SQLite does not allow such a column name.
    public static let columnName = Code(rawValue: "column-name")
    /// Two fields would share a column.
    public static let twinColumns = Code(rawValue: "twin-columns")
    /// A field points to a name that no class can have.
    public static let targetClass = Code(rawValue: "target-class")
    /// The field cannot hold its default value.
    public static let defaultValue = Code(rawValue: "default-value")
    /// A field of this type cannot have such a merge.
    public static let fieldMerge = Code(rawValue: "field-merge")
    /// The field that marks a soft deletion is missing or not a Boolean.
    public static let softDeleteField = Code(rawValue: "soft-delete-field")
    /// The access list of new records names nobody, or a party that cannot exist.
    public static let access = Code(rawValue: "access")
    /// The rows of a class are members of a relation that is not declared so.
    public static let membership = Code(rawValue: "membership")
    /// Servers may evaluate the filter differently, or the class cannot follow it.
    public static let filter = Code(rawValue: "filter")
    /// An index names a field twice, too many fields, or one that it cannot have.
    public static let indexField = Code(rawValue: "index-field")
    /// An index names no field.
    public static let emptyIndex = Code(rawValue: "empty-index")
    /// A class declares an index twice.
    public static let duplicateIndex = Code(rawValue: "duplicate-index")
    /// A class declares more indexes than it may have.
    public static let tooManyIndexes = Code(rawValue: "too-many-indexes")
    /// A Swift type is for a class that is not registered.
    public static let unregisteredClass = Code(rawValue: "unregistered-class")
    /// A Swift type has no property for a field.
    public static let missingProperty = Code(rawValue: "missing-property")
    /// A property cannot hold the values of its field.
    public static let propertyType = Code(rawValue: "property-type")
    /// A Swift type has a property that is not a declared field.
    public static let undeclaredProperty = Code(rawValue: "undeclared-property")
  }

  /// One broken rule.
  public struct Problem: Sendable, Equatable {
    /// The rule.
    public var code: Code
    /// The class with the problem; nil for the whole schema.
    public var className: String?
    /// The field with the problem; nil for the whole class.
    public var field: String?
    /// The fault and its remedy, as sentences.
    public var message: String

    /// Whether another `table` of the class or another `column` of the field mends it.
    public var isAboutLocalNames: Bool {
      [.columnName, .twinColumns, .tableName, .twinTables].contains(code)
    }

    /// Whether the class's indexes have the problem.
    public var isAboutIndexes: Bool {
      [.indexField, .emptyIndex, .duplicateIndex, .tooManyIndexes].contains(code)
    }
  }

  /// The broken rules, in the order of the schema.
  public var problems: [Problem]

  private static let codesOfTypes: [Code] = [
    .unregisteredClass, .missingProperty, .propertyType, .undeclaredProperty,
  ]

  package init(problems: [Problem]) { self.problems = problems }

  /// The sentences of all problems.
  public var description: String {
    let sentences = problems.map(\.message)
    guard sentences.count > 1 else { return sentences.first ?? "" }
    let areOfTypes = problems.contains { Self.codesOfTypes.contains($0.code) }
    let head =
      areOfTypes
      ? "The schema and the Swift types differ in \(sentences.count) places:"
      : "The schema breaks \(sentences.count) rules:"
    return ([head] + sentences.map { "- \($0)" }).joined(separator: "\n")
  }
}
