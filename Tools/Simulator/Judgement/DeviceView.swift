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

  /// A part of an unsent change.
  struct Waiting: Hashable {
    var className: String
    var localID: LocalID
    /// The field of an edit; nil for the creation or the removal of the row.
    var field: String?
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
  /// Everything that waits, also for a program that declares more fields.
  var waiting: Set<Waiting> = []
  var lost: Set<Lost>
  /// The values that went with their rows, because the server had deleted the records.
  var lostWithRow: Set<Lost> = []
  var quarantined: [String]

  /// The name of the row that an entry is about.
  func name(of entry: OutboxEntry, _ identities: Identities) -> String {
    rows.first { $0.className == entry.className && $0.localID == entry.localID }?.name
      ?? identities.name(Pointer(className: entry.className, objectID: entry.objectID))
  }

  /// Whether nobody knows the outcome of a write to a record that cannot be read.
  func hasDoubtInQuarantine(_ identities: Identities) -> Bool {
    pending.contains { $0.state == .inDoubt && quarantined.contains(name(of: $0, identities)) }
  }
}

extension OutboxEntry {
  /// The parts of the change that wait.
  var waiting: Set<DeviceView.Waiting> {
    let fields = kind == .update ? [] : [String?.none]
    return Set(
      (fields + changed.map(Optional.some)).map {
        DeviceView.Waiting(className: className, localID: localID, field: $0)
      })
  }
}
