// Ferry: offline-first sync for Parse Server. MIT licence.

/// The wire format of one class, where it is not the one that follows from its declared fields.
///
/// Both directions work on values, not on text: Ferry reads and writes the JSON. `objectId`,
/// `createdAt`, `updatedAt` and `ACL` never pass through here. Methods are called on the engine's
/// threads, several at once.
public protocol RecordSerializer: Sendable {
  /// The names of the fields to ask the server for.
  var wireKeys: [String] { get }

  /// Makes declared fields from what the server sent.
  ///
  /// What this throws sets the record aside in quarantine, with the error's text as the reason.
  func decode(_ wire: Fields) throws -> Fields

  /// Makes what is sent to the server from declared fields; `.null` clears a field.
  ///
  /// What this throws parks the change, with the error's text as the reason.
  func encode(_ fields: Fields) throws -> Fields
}
