// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Which contents leave, so that the rest is within a limit.
///
/// A pure function: it takes what is kept, and names the contents by their sums.
enum FileEviction {
  /// The sums of the contents that leave, those that were not used for longest first.
  ///
  /// - Parameters:
  ///   - kept: The files that are kept; several may have one content, which counts once.
  ///   - limit: The most bytes that may stay.
  ///   - protectedSince: A content that was used at this time or later stays.
  ///   - held: The contents that have another name on the disk, as those that a sync has yet to send. They stay, because their
  ///     bytes would not be free.
  /// - Returns: The sums.
  static func leaving(
    _ kept: [KeptFile], limit: Int, protectedSince: Timestamp, held: Set<String> = []
  ) -> [String] {
    var contents: [String: (bytes: Int, lastUse: Timestamp)] = [:]
    for file in kept {
      let lastUse = max(contents[file.sha256]?.lastUse ?? .earliest, file.lastUse)
      contents[file.sha256] = (file.bytes, lastUse)
    }
    var total = contents.values.reduce(0) { $0 + $1.bytes }
    var leaving: [String] = []
    let oldestFirst = contents.sorted { ($0.value.lastUse, $0.key) < ($1.value.lastUse, $1.key) }
    for (sum, content) in oldestFirst
    where total > limit && content.lastUse < protectedSince && !held.contains(sum) {
      leaving.append(sum)
      total -= content.bytes
    }
    return leaving
  }
}
