// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension OutboxEntry {
  /// Whether an attempt of unknown outcome sent the field: its value may yet arrive there, so that
  /// even a value both sides have is still a change to send.
  package func isOpen(_ field: String) -> Bool {
    attempts.contains { $0.outcome == .unknown && $0.sent[field] != nil }
  }

  /// The server showed these values: what is sent next is compared with them.
  package mutating func rebase(onto remote: Fields, version: ServerVersion) {
    let watched = attempts.reduce(into: changed) { $0.formUnion($1.sent.values.keys) }
    base = Fields(
      Dictionary(uniqueKeysWithValues: watched.map { ($0, remote[$0] ?? .null) }))
    baseVersion = version
  }
}
