// Ferry: offline-first sync for Parse Server. MIT licence.

/// A world as data: who there is, how each behaves, and what happens in which order.
///
/// `init(seed:)` makes it from a seed alone, and a `Player` carries it out. A shrunk world has fewer events
/// and is otherwise the same. An event that cannot be carried out, such as an edit of a row that is not
/// there, does nothing.
public struct World: Sendable {
  /// The seed that the world comes from, which also decides what the devices and the server draw.
  public let seed: UInt64
  /// The settings of devices and server.
  public var settings: WorldSettings
  /// The classes that every device keeps.
  public var classes: [WorldClass]
  /// The rows on the server that every device imported long before.
  public var given: [Edit]
  /// The events, in order.
  public var events: [Event]

  /// A world of given parts.
  public init(
    seed: UInt64, settings: WorldSettings, classes: [WorldClass], given: [Edit], events: [Event]
  ) {
    self.seed = seed
    self.settings = settings
    self.classes = classes
    self.given = given
    self.events = events
  }
}
