// Ferry: offline-first sync for Parse Server. MIT licence.

/// A declared field of a class.
public struct Field: Sendable, Equatable {
  /// The field's name on the server and, unless told otherwise, its column's.
  public var name: String
  /// The field's type.
  public var type: FieldType
  /// The column's name here.
  public var column: String
  /// What a row inserted here has when nothing is given; null for none.
  public var defaultValue: Value

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - name: The name on the server.
  ///   - type: The type on the server, and for a Number whether it is whole.
  ///   - column: The column's name here, when it has to differ from the field's.
  ///   - default: What a row inserted here has when nothing is given.
  public init(
    _ name: String, _ type: FieldType, column: String? = nil, default: Value = .null
  ) {
    self.name = name
    self.type = type
    self.column = column ?? name
    defaultValue = `default`
  }
}
