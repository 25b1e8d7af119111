// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// One pass over the rows of a class, from its first page to its proven end.
///
/// Its pages may be staged by several runs, and by several segments: each segment lists what changed
/// since the one before it, so that what is imported is never only stale.
package struct Listing: Codable, Equatable, Sendable {
  package var id: String
  package var className: String
  /// What is listed: pages listed under another fingerprint are never imported.
  package var fingerprint: String
  /// The class's upload sequence when the listing began: a page staged before a change of ours
  /// reached the server may show the row as it was before.
  package var uploadSequence: Int
  /// When its first page was asked for, by the clock of the environment.
  package var startedAt: Timestamp
  /// For people who look at the file: where the rows come from.
  package var source: String
  /// For people who look at the file: the fields asked for.
  package var keys: [String]

  package init(
    id: String, className: String, fingerprint: String, uploadSequence: Int,
    startedAt: Timestamp, source: String = "", keys: [String] = []
  ) {
    self.id = id
    self.className = className
    self.fingerprint = fingerprint
    self.uploadSequence = uploadSequence
    self.startedAt = startedAt
    self.source = source
    self.keys = keys
  }
}
