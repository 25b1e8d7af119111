// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// A device at a moment: its rows, changes that wait, and lost values.
struct DeviceView {
  /// A row of the app's tables.
  struct Row {
    var name: String
    var className: String
    var localID: LocalID
    var objectID: String
    var fields: [String: Content]
  }

  /// A value that a sync overwrote or removed.
  struct Lost: Hashable {
    var row: String
    var field: String
    var content: Content
  }

  /// The number of the device.
  var number: Int
  /// The letter of the device.
  var device: String
  /// The user whose data the device holds; nil for nobody.
  var owner: User?
  /// Whether a program runs that sees no values of later fields.
  var hidesLater = false
  var rows: [Row]
  var pending: [OutboxEntry]
  var lost: Set<Lost>
  /// The values that went with their rows, because the server had deleted the records.
  var lostWithRow: Set<Lost> = []
  var quarantined: [String]

  /// The name of the row that an entry is about.
  func name(of entry: OutboxEntry, _ identities: Identities) -> String {
    rows.first { $0.className == entry.className && $0.localID == entry.localID }?.name
      ?? identities.name(Pointer(className: entry.className, objectID: entry.objectID))
  }
}
