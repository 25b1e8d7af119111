// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The part of the engine's note of a class that says whether its new rows may be sent.
///
/// The engine alone knows the rest of the note, and writes it.
package enum ClassNote {
  /// The member that is true while the server takes creates of the class only from users, and nobody is logged in.
  package static let needsLogin = "needsLoginToCreate"
  /// The beginning of a note's key, before the name of the class.
  package static let prefix = "class/"

  /// The key of a class's note.
  package static func key(of className: String) -> String { prefix + className }

  /// Whether the note says so; false for a note that cannot be read, which the engine reports.
  package static func needsLogin(_ text: String) -> Bool {
    guard case .object(let members) = Value(wireJSON: text) else { return false }
    return members[needsLogin] == true
  }
}
