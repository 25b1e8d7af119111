// Ferry: offline-first sync for Parse Server. MIT licence.

/// The possible keys of a record, found by their bytes.
///
/// A server sends keys in nearly the same order in every record. So the search starts after the key
/// that was found last, and usually ends there.
struct KeyTable: Sendable {
  private let bytes: [UInt8]
  private let ranges: [Range<Int>]

  init(_ names: [String]) {
    var bytes: [UInt8] = []
    ranges = names.map { name in
      let start = bytes.count
      bytes += Array(name.utf8)
      return start..<bytes.count
    }
    self.bytes = bytes
  }

  var count: Int { ranges.count }

  /// The position of a key in the list of names, searched from `start` on and then from the
  /// beginning.
  func position(of key: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      for position in start..<ranges.count where matches(key, bytes, ranges[position]) {
        return position
      }
      for position in 0..<start where matches(key, bytes, ranges[position]) { return position }
      return nil
    }
  }

  /// Whether the name at a position has these bytes.
  func has(_ key: UnsafeBufferPointer<UInt8>, at position: Int) -> Bool {
    bytes.withUnsafeBufferPointer { matches(key, $0, ranges[position]) }
  }

  private func matches(
    _ key: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Bool {
    guard key.count == range.count else { return false }
    for offset in 0..<key.count where key[offset] != bytes[range.lowerBound + offset] {
      return false
    }
    return true
  }
}
