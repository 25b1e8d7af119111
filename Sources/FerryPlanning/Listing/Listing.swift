// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// One pass over the rows of a class, from its first page to its proven end.
///
/// Several runs and several segments may stage its pages. Each segment lists the changes since the
/// previous one, so that no outdated version is imported alone.
package struct Listing: Codable, Equatable, Sendable {
  package var id: String
  package var className: String
  /// The scope of the listing; pages with another fingerprint are never imported.
  package var fingerprint: String
  /// The class's upload sequence when the listing began.
  ///
  /// A page staged before a change reached the server may show the row without that change.
  package var uploadSequence: Int
  /// The listing that was imported last when this one began; nil for none.
  ///
  /// Pages are older than what another program, with a staging folder of its own, has imported since.
  package var previousID: String?
  /// When its first page was requested, by the environment's clock.
  package var startedAt: Timestamp
  /// The source of the rows, for people who read the file.
  package var source: String
  /// The requested fields, for people who read the file.
  package var keys: [String]

  package init(
    id: String, className: String, fingerprint: String, uploadSequence: Int,
    previousID: String? = nil, startedAt: Timestamp, source: String = "", keys: [String] = []
  ) {
    self.id = id
    self.className = className
    self.fingerprint = fingerprint
    self.uploadSequence = uploadSequence
    self.previousID = previousID
    self.startedAt = startedAt
    self.source = source
    self.keys = keys
  }
}
