// Ferry: offline-first sync for Parse Server. MIT licence.

/// The wire format of a class that does not follow from its declared fields.
///
/// Both methods work on values; Ferry reads and writes the JSON. `objectId`, `createdAt`,
/// `updatedAt` and `ACL` never pass through a serializer. The engine calls the methods on its own
/// threads, several at once.
public protocol RecordSerializer: Sendable {
  /// The names of the fields that the engine requests from the server.
  var wireKeys: [String] { get }

  /// Makes declared fields from the values that the server sent.
  ///
  /// If this throws, the engine puts the record into quarantine with the error's text as the
  /// reason.
  func decode(_ wire: Fields) throws -> Fields

  /// Makes the values to send to the server from declared fields; `.null` clears a field.
  ///
  /// If this throws, the engine parks the change with the error's text as the reason.
  func encode(_ fields: Fields) throws -> Fields
}
