// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Which row an id means, for every id that a row has ever had on any side.
final class Identities: @unchecked Sendable {
  private var names: [Pointer: String] = [:]
  /// The ids under which the server knows the users.
  var ids: [User: String] = [:]
  /// The rows that an app restored as new records, so that pointers to the former ones lead nowhere.
  var restoredAnew: Set<String> = []
  /// The classes of the world.
  private let classes: Set<String>

  init(_ classes: [WorldClass]) { self.classes = Set(classes.map(\.name)) }

  func learn(_ name: String, _ className: String, _ objectID: String) {
    names[Pointer(className: className, objectID: objectID)] = name
  }

  /// The row of an id; a text that matches no name for an id that nobody has seen.
  ///
  /// A record of a class outside the world goes by its class and id.
  func name(_ pointer: Pointer) -> String {
    if let name = names[pointer] { return name }
    return classes.contains(pointer.className)
      ? "?\(pointer.objectID)" : "\(pointer.className):\(pointer.objectID)"
  }
}
