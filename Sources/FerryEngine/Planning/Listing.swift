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

/// A row's place in the order of a listing: by `updatedAt`, then by `objectId` as the server sorts it.
package struct ListingKey: Codable, Hashable, Sendable {
  package var updatedAt: Timestamp
  package var objectID: String

  package init(updatedAt: Timestamp, objectID: String) {
    self.updatedAt = updatedAt
    self.objectID = objectID
  }
}

/// A range of a listing: the rows changed from one moment of the server's clock up to another.
package struct ListingSegment: Codable, Equatable, Sendable {
  /// Counts from 1.
  package var number: Int
  /// Rows stamped earlier are left out; nil for none.
  package var from: Timestamp?
  /// The server's time before its first answer was put together; nil where the server did not say.
  package var serverTimeLowerBound: Timestamp?
  /// By the server's time, rows stamped then or later are left to the next listing; nil where it told
  /// none that could be trusted with it.
  package var until: Timestamp?

  package init(
    number: Int, from: Timestamp?, serverTimeLowerBound: Timestamp? = nil, until: Timestamp? = nil
  ) {
    self.number = number
    self.from = from
    self.serverTimeLowerBound = serverTimeLowerBound
    self.until = until
  }
}

/// A page of a listing, as it is entered in the manifest.
package struct ListingPage: Codable, Equatable, Sendable {
  /// Counts from 1, through all segments.
  package var number: Int
  package var file: String
  package var bytes: Int
  package var checksum: String
  package var records: Int
  /// The place of its last row.
  package var last: ListingKey
  /// Whether it is one of a walk through a single millisecond by `objectId`.
  package var isWalk: Bool?

  package init(
    number: Int, file: String, bytes: Int, checksum: String, records: Int, last: ListingKey,
    isWalk: Bool? = nil
  ) {
    self.number = number
    self.file = file
    self.bytes = bytes
    self.checksum = checksum
    self.records = records
    self.last = last
    self.isWalk = isWalk
  }
}

/// What a listing that came to its end tells.
package struct ListingEnd: Codable, Equatable, Sendable {
  /// Up to where it reaches.
  package var cursor: DownloadCursor
  /// Whether the server's count agreed that nothing was left.
  ///
  /// Without that an empty page is all there is to go by, and rows may have been hidden from it.
  package var isCounted: Bool
  /// Whether all rows of the class were listed, not only those changed since an earlier listing.
  package var coversClass: Bool
  /// How many rows the class has, asked together with a listing that turned out empty.
  package var classCount: Int?

  package init(
    cursor: DownloadCursor, isCounted: Bool, coversClass: Bool, classCount: Int? = nil
  ) {
    self.cursor = cursor
    self.isCounted = isCounted
    self.coversClass = coversClass
    self.classCount = classCount
  }
}
