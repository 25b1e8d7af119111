// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Up to where the listings of a class are known to reach, and so where the next one has to begin.
///
/// Two canaries, because either may fail: the server's clock may be a proxy's that is wrong, and the
/// newest row alone would bring a burst of writes again with every listing after it.
package struct DownloadCursor: Codable, Equatable, Sendable {
  /// The server's time before the first answer of the last complete listing.
  package var serverTimeLowerBound: Timestamp?
  /// The latest stamp that any complete listing has shown.
  package var newest: Timestamp?

  package init(serverTimeLowerBound: Timestamp? = nil, newest: Timestamp? = nil) {
    self.serverTimeLowerBound = serverTimeLowerBound
    self.newest = newest
  }

  /// From where the next listing has to begin; nil for the beginning.
  ///
  /// The overlap before the floor finds what was stamped earlier and committed later. Should the
  /// floor be ahead of the stamps, for a clock that is wrong, whatever comes after the newest row is
  /// listed all the same. A class that never showed a row has no stamp to go by and is listed whole.
  package func lowerBound(overlap: Duration) -> Timestamp? {
    guard let newest, let serverTimeLowerBound else { return nil }
    return min(
      serverTimeLowerBound.adding(milliseconds: -overlap.milliseconds),
      newest.adding(milliseconds: 1))
  }

  /// The cursor after another complete listing.
  ///
  /// - Parameters:
  ///   - serverTimeLowerBound: The lower bound of server time of the new listing. Where the server told
  ///     no time, the cursor advances to the last row listed and no further.
  ///   - listed: The latest stamp on the new listing's pages.
  /// - Returns: Up to where both are known to be complete.
  package func extended(serverTimeLowerBound: Timestamp?, listed: Timestamp?) -> DownloadCursor {
    let newest = [self.newest, listed].compactMap(\.self).max()
    return DownloadCursor(
      serverTimeLowerBound: serverTimeLowerBound
        ?? [self.serverTimeLowerBound, listed].compactMap(\.self).max(), newest: newest)
  }
}

extension Duration {
  /// Whole milliseconds; what is finer is rounded up, so that nothing measured gets shorter.
  package var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
  }
}
