// Ferry: offline-first sync for Parse Server. MIT licence.

/// The registered classes.
///
/// ```swift
/// let schema = Schema {
///   Entity("League") {
///     Field("name", .text)
///   }
///   Entity("Game") {
///     Field("title", .text)
///     Field("league", .pointer(to: "League"))
///   }
/// }
/// ```
public struct Schema: Sendable {
  /// The classes, in the order registered.
  public var entities: [Entity]
  /// The words by which messages name the schema, such as the name of the file that declares it.
  public var name = "the schema"

  /// Registers classes.
  public init(@EntitiesBuilder entities: () -> [Entity]) { self.init(entities()) }

  /// Registers a list of classes.
  public init(_ entities: [Entity]) { self.entities = entities }

  /// The class with that name.
  public func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }
}
