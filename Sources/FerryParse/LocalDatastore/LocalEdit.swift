// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Edits of one object that Parse's SDK has kept together and not sent.
package struct LocalEdit: Sendable, Equatable {
  /// The change of one field.
  package enum Change: Sendable, Equatable {
    /// The field gets a value.
    case set(Value)
    /// The server, or the device, computes the value from the one before.
    case operations([ParseOperation])
    /// It cannot be carried out, for a reason and with words about it.
    case refused(ObjectLeftOut.Reason, String)
  }

  /// The key that the SDK gave the edits, or one made of their content.
  package var id: String
  /// The changes by the name of the field; `ACL` is the access list.
  package var changes: [String: Change]

  package init(id: String, changes: [String: Change]) {
    self.id = id
    self.changes = changes
  }
}
