// Ferry: offline-first sync for Parse Server. MIT licence.

/// A declared field of a class.
public struct Field: Sendable, Equatable {
  /// The field's name on the server, and the column's name unless another is given.
  public var name: String
  /// The field's type.
  public var type: FieldType
  /// The column's name in the local table.
  public var column: String
  /// The value of this field in a new local row that gives none; null for no value.
  public var defaultValue: Value
  /// How edits of both sides become one value; nil where the class's conflict policy chooses one of them.
  public var merge: FieldMerge?
  /// The fate of a file on the server that the app replaces; it matters for a file field.
  public var replacedFiles: ReplacedFiles

  /// Declares a field.
  ///
  /// - Parameters:
  ///   - name: The name on the server.
  ///   - type: The type on the server; for a Number also whether it is whole.
  ///   - column: The column's name, if it differs from the field's name.
  ///   - default: The value of this field in a new local row that gives none.
  ///   - merge: How edits of both sides become one value; nil where the class's conflict policy chooses one of them.
  ///   - replacedFiles: The fate of a file on the server that the app replaces, clears or deletes with its row.
  public init(
    _ name: String, _ type: FieldType, column: String? = nil, default: Value = .null,
    merge: FieldMerge? = nil, replacedFiles: ReplacedFiles = .keep
  ) {
    self.name = name
    self.type = type
    self.column = column ?? name
    defaultValue = `default`
    self.merge = merge
    self.replacedFiles = replacedFiles
  }
}

extension Field {
  /// The field's value in a new local row that gives none.
  package var initialValue: Value { defaultValue.isNull ? type.emptyValue : defaultValue }
}
