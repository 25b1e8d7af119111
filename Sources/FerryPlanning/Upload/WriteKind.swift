// Ferry: offline-first sync for Parse Server. MIT licence.

/// The kind of a write, as far as the consequence of a refusal depends on it.
package enum WriteKind: CaseIterable, Sendable {
  /// A create that asks for an object id of its own.
  case createWithID
  /// A create whose object id the server chooses.
  case create
  /// An update of a record that the server has had.
  case update
  /// A delete of a record that the server has had.
  case delete
}
