// Ferry: offline-first sync for Parse Server. MIT licence.

/// How far a download has come: a note beside the bytes.
///
/// It is written after the bytes. A power failure may lose some of them nevertheless, so the sum proves the beginning.
struct PartialNote: Codable, Hashable {
  /// The bytes that the sum covers.
  var bytes: Int
  /// The SHA-256 of these bytes.
  var sha256: String
  /// The size of the whole file; nil if the server has not said it.
  var total: Int?
  /// The strong tag of the content; nil if the server gave none.
  var tag: String?
}
