// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// Whether an attempt of unknown outcome sent the field.
  ///
  /// Its value may still arrive, so even a value that both sides have remains a change to send.
  package func isOpen(_ field: String) -> Bool {
    attempts.contains { $0.outcome == .unknown && $0.sent[field] != nil }
  }

  /// Makes the server's values the base for the next comparison.
  package mutating func rebase(onto remote: Fields, version: ServerVersion) {
    let watched = attempts.reduce(into: changed) { $0.formUnion($1.sent.values.keys) }
    base = Fields(
      Dictionary(uniqueKeysWithValues: watched.map { ($0, remote[$0] ?? .null) }))
    baseVersion = version
  }
}
