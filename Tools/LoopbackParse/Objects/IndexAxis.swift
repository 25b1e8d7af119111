// Ferry: offline-first sync for Parse Server. MIT licence.

/// A key by which the rows of a class are indexed; among equal keys the object id decides.
enum IndexAxis: CaseIterable {
  case updatedAt
  case createdAt
  case objectId

  /// The moment of all keys in the index by id alone.
  static let noInstant = Instant(milliseconds: 0)
}
