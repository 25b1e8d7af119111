// Ferry: offline-first sync for Parse Server. MIT licence.

/// The object ids of a class that an outbox entry, the quarantine or a former row may concern.
///
/// An import asks for each id of a page, and the answer is "no" for most of them. This tells it without a question to
/// SQLite. It is a filter with two bits for each id, so that it needs little room. It may hold an id that
/// nothing concerns, but it never lacks one that something concerns.
struct EntangledIDs {
  /// Among more ids, the filter would hold too many that nothing concerns.
  static let capacity = 100_000
  /// A filter that holds every id.
  static let all = EntangledIDs(words: [])
  private static let bitCount: UInt64 = 1 << 20

  private var words: [UInt64]

  /// A filter without ids.
  init() { self.init(words: [UInt64](repeating: 0, count: Int(Self.bitCount / 64))) }

  private init(words: [UInt64]) { self.words = words }

  mutating func insert(_ objectID: UnsafeBufferPointer<UInt8>) {
    guard !words.isEmpty else { return }
    let (first, second) = Self.bits(of: objectID)
    words[Int(first >> 6)] |= 1 << (first & 63)
    words[Int(second >> 6)] |= 1 << (second & 63)
  }

  mutating func insert(_ objectID: String) {
    var objectID = objectID
    objectID.withUTF8 { insert($0) }
  }

  func mayHold(_ objectID: UnsafeBufferPointer<UInt8>) -> Bool {
    guard !words.isEmpty else { return true }
    let (first, second) = Self.bits(of: objectID)
    return words[Int(first >> 6)] & 1 << (first & 63) != 0
      && words[Int(second >> 6)] & 1 << (second & 63) != 0
  }

  /// Two bits from the hash FNV-1a, which is quick for texts as short as an id.
  ///
  /// The last bytes of a text hardly reach the upper half of that hash, so it is mixed once more.
  private static func bits(of objectID: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in objectID { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    hash = (hash ^ hash >> 32) &* 0x9e37_79b9_7f4a_7c15
    return (hash >> 44, (hash >> 24) & (bitCount - 1))
  }
}
