// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

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

extension World {
  /// The field of the server's records that no device declares.
  var undeclaredField: String {
    var name = "colours"
    while classes.contains(where: { $0.entity.field(name) != nil }) { name += "2" }
    return name
  }

  /// Whether devices fetch the records of at least one class.
  var hasOnDemand: Bool { classes.contains(where: \.isOnDemand) }

  /// Whether a class has a relation whose members the devices keep.
  var hasMembers: Bool { classes.contains { $0.members != nil } }

  /// The class with that name.
  func madeClass(_ name: String) -> WorldClass? { classes.first { $0.name == name } }

  /// An app's edit with the values that the store adds to a new row.
  func withDefaults(_ edit: Edit) -> Edit {
    guard case .insert(let row, let className, var fields) = edit else { return edit }
    for field in madeClass(className)?.entity.fields ?? []
    where !field.defaultValue.isNull && fields[field.name] == nil {
      fields[field.name] = Content(field.defaultValue) { $0.objectID }
    }
    return .insert(row, className: className, fields)
  }
}

extension World {
  /// Whether syncs do not list a class, by its name.
  func isOnDemand(_ className: String?) -> Bool {
    classes.contains { $0.name == className && $0.isOnDemand }
  }

  /// Whether devices keep the rows of a class that the server has deleted.
  func isNeverRemoved(_ className: String?) -> Bool {
    classes.contains { $0.name == className && $0.deletions == .never }
  }
}
