// Ferry: offline-first sync for Parse Server. MIT licence.

/// One thing that a named reader of history does.
enum HistoryReading: Sendable {
  /// It reads on and merges what it reads: transactions of these rows, and of no others.
  case reads([String])
  /// It was away for so long that the store has dropped what it has not read.
  case isTooLate
  /// It reads the tables instead.
  case startsOver
}
