// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// Which rows each app touched, for the rules about classes that no sync lists.
final class DemandHistory {
  /// The rows that the app of each device edited in its present run.
  private var touched: [Set<String>]
  /// The rows that the app of each device ever edited.
  private var everTouched: [Set<String>]
  /// The rows that each device evicted, and of which it has no record since.
  private var evicted: [Set<String>]
  /// The number of edits and commits so far.
  private(set) var time = 0
  /// The first record that a device made or removed although nobody had asked for that.
  var violation: Violation?

  init(_ deviceCount: Int) {
    touched = Array(repeating: [], count: deviceCount)
    everTouched = touched
    evicted = touched
  }

  func began(_ device: Int) { touched[device] = [] }

  func made(_ edit: Edit, by writer: Writer) {
    time += 1
    guard case .app(let device) = writer else { return }
    touched[device].insert(edit.row)
    everTouched[device].insert(edit.row)
  }

  func committed() { time += 1 }

  func hasTouched(_ row: String, inRunOf device: Int) -> Bool { touched[device].contains(row) }

  func hasEverTouched(_ row: String, on device: Int) -> Bool { everTouched[device].contains(row) }

  /// A device took rows out that it need not keep.
  func evicted(_ rows: Set<String>, on device: Int) { evicted[device].formUnion(rows) }

  /// A device holds records of rows again.
  func holds(_ rows: Set<String>, on device: Int) { evicted[device].subtract(rows) }

  /// Whether a device knows no record of a row because it evicted the row.
  func hasEvicted(_ row: String, on device: Int) -> Bool { evicted[device].contains(row) }
}
