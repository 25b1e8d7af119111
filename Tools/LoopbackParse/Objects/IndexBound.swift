// Ferry: offline-first sync for Parse Server. MIT licence.

/// A place in an index, given by values instead of by a key that must exist.
struct IndexBound: Comparable {
  /// Where among the keys of one moment.
  enum Tail: Equatable {
    case start
    case before(String)
    case after(String)
    case end

    private var rank: (Int, String, Int) {
      switch self {
      case .start: (0, "", 0)
      case .before(let sortKey): (1, sortKey, 0)
      case .after(let sortKey): (1, sortKey, 1)
      case .end: (2, "", 0)
      }
    }

    static func precedes(_ first: Tail, _ second: Tail) -> Bool { first.rank < second.rank }
  }

  var instant: Instant
  var tail: Tail

  static func < (first: IndexBound, second: IndexBound) -> Bool {
    first.instant == second.instant
      ? Tail.precedes(first.tail, second.tail) : first.instant < second.instant
  }

  static let lowest = IndexBound(instant: Instant(milliseconds: .min), tail: .start)
  static let highest = IndexBound(instant: Instant(milliseconds: .max), tail: .end)

  /// Whether a key lies below this place.
  func isAbove(_ key: IndexKey) -> Bool {
    if key.instant != instant { return key.instant < instant }
    return switch tail {
    case .start: false
    case .before(let sortKey): key.sortKey < sortKey
    case .after(let sortKey): key.sortKey <= sortKey
    case .end: true
    }
  }
}
