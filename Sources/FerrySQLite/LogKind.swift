// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// What a row of `ferry_log` says; the first three as in history.
enum LogKind: Int64 {
  case insert = 0
  case update = 1
  case delete = 2
  /// An insert was about to push the row out, and perhaps did not: a note among triggers.
  case displaced = 3

  var change: Change.Kind? {
    switch self {
    case .insert: .insert
    case .update: .update
    case .delete: .delete
    case .displaced: nil
    }
  }
}
