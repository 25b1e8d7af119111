// Ferry: offline-first sync for Parse Server. MIT licence.

/// What a row of `ferry_log` says; the first three are numbered as in `Change.Kind`.
enum LogKind: Int64 {
  case insert = 0
  case update = 1
  case delete = 2
  /// An insert was about to push the row out, and perhaps did not: a note among triggers.
  case displaced = 3
}
