// Ferry: offline-first sync for Parse Server. MIT licence.

/// Collects the fields of an entity.
@resultBuilder
public enum FieldsBuilder {
  /// One field.
  public static func buildExpression(_ field: Field) -> [Field] { [field] }
  /// A list of fields.
  public static func buildExpression(_ fields: [Field]) -> [Field] { fields }
  /// Joins the fields in order.
  public static func buildBlock(_ parts: [Field]...) -> [Field] { parts.flatMap { $0 } }
  /// Fields declared under a condition.
  public static func buildOptional(_ part: [Field]?) -> [Field] { part ?? [] }
  /// The first of two alternatives.
  public static func buildEither(first part: [Field]) -> [Field] { part }
  /// The second of two alternatives.
  public static func buildEither(second part: [Field]) -> [Field] { part }
  /// Fields declared in a loop.
  public static func buildArray(_ parts: [[Field]]) -> [Field] { parts.flatMap { $0 } }
}
