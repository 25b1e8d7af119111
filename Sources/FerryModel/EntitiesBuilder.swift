// Ferry: offline-first sync for Parse Server. MIT licence.

/// Collects the classes of a schema.
@resultBuilder
public enum EntitiesBuilder {
  /// One class.
  public static func buildExpression(_ entity: Entity) -> [Entity] { [entity] }
  /// A list of classes.
  public static func buildExpression(_ entities: [Entity]) -> [Entity] { entities }
  /// Joins the classes in order.
  public static func buildBlock(_ parts: [Entity]...) -> [Entity] { parts.flatMap { $0 } }
  /// Classes registered under a condition.
  public static func buildOptional(_ part: [Entity]?) -> [Entity] { part ?? [] }
  /// The first of two alternatives.
  public static func buildEither(first part: [Entity]) -> [Entity] { part }
  /// The second of two alternatives.
  public static func buildEither(second part: [Entity]) -> [Entity] { part }
  /// Classes registered in a loop.
  public static func buildArray(_ parts: [[Entity]]) -> [Entity] { parts.flatMap { $0 } }
}
