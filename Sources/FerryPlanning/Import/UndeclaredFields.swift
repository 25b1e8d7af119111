// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The fields of a row that the schema leaves out, because only other programs declare them.
///
/// This program can neither send nor compare them. A removal of the row must not lose them.
package struct UndeclaredFields: Sendable, Equatable {
  /// The row's values.
  package var values: Fields
  /// The names of those fields that have an unsent edit.
  package var edited: Set<String>

  package init(values: Fields = Fields(), edited: Set<String> = []) {
    self.values = values
    self.edited = edited
  }

  package var isEdited: Bool { !edited.isEmpty }

  /// The values that are not sent yet.
  package var unsent: Fields { values.only(edited) }
}
