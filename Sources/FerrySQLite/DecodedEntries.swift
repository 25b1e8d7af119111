// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The outbox entries that a connection has read or written last, beside their texts.
///
/// A sync reads each entry several times. The text in the store decides: where it differs, the entry is decoded
/// anew.
struct DecodedEntries {
  /// How many bytes of text a generation holds: those of some 400 entries, twice what is in flight at a time.
  private static let capacity = 1 << 17

  private struct Decoded {
    let text: String
    let entry: OutboxEntry
  }

  /// The entries that were used lately; once these are many, they become the older generation, and that one goes.
  private var young: [RecordKey: Decoded] = [:]
  private var old: [RecordKey: Decoded] = [:]
  private var size = 0

  /// The entry of a row's column, if it is known and its text is the same.
  mutating func entry(of key: RecordKey, at column: Int, of row: SQLiteStatement) -> OutboxEntry? {
    if let decoded = young[key] {
      return row.isText(decoded.text, at: column) ? decoded.entry : nil
    }
    guard let decoded = old[key], row.isText(decoded.text, at: column) else { return nil }
    keep(decoded.entry, as: decoded.text)
    return decoded.entry
  }

  mutating func keep(_ entry: OutboxEntry, as text: String) {
    size += text.utf8.count
    if size > Self.capacity {
      old = young
      young = [:]
      size = text.utf8.count
    }
    young[entry.key] = Decoded(text: text, entry: entry)
  }
}
