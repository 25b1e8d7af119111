// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Keys of one query: a query for each of many keys takes some three times as long.
enum ManyKeys {
  /// The range of some local ids if they are many, and most of the range is among them.
  static func denseRange(_ ids: [LocalID]) -> ClosedRange<LocalID>? {
    guard ids.count >= 8, let first = ids.min(), let last = ids.max(), first.rawValue >= 0,
      last.rawValue - first.rawValue < 2 * Int64(ids.count)
    else { return nil }
    return first...last
  }

  /// Object ids as a JSON list for SQLite's `json_each`; nil for a few, and where one has a control character.
  ///
  /// SQLite cuts a text of JSON at a NUL.
  static func jsonList(_ ids: [String]) -> String? {
    guard ids.count >= 4, ids.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x20 } }) else { return nil }
    return WireJSON.text(.array(ids.map(Value.string)))
  }
}
