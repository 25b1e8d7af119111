// Ferry: offline-first sync for Parse Server. MIT licence.

extension Duration {
  /// The time in whole milliseconds, rounded up, from zero to about three weeks.
  var milliseconds: Int {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int(min(seconds, 2_000_000)) * 1000
      + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
