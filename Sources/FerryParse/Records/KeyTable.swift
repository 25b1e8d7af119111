// Ferry: offline-first sync for Parse Server. MIT licence.

/// The keys that a record may have, found by their bytes.
///
/// A server gives keys in nearly the same order in every record, so the search starts behind the key
/// found last and mostly ends there.
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

  /// The place of a key in the list of names, looked for from `start` on and then from the front.
  func position(of key: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    bytes.withUnsafeBufferPointer { bytes in
      for position in start..<ranges.count where matches(key, bytes, ranges[position]) {
        return position
      }
      for position in 0..<start where matches(key, bytes, ranges[position]) { return position }
      return nil
    }
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
