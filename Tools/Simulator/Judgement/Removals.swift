// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// The rows that one run of a device removes because their records are gone.
struct Removals {
  /// From this number of rows on, a class is not emptied without a confirmation.
  private static let guarded = 5

  /// The sets of removals that the run may carry out.
  var confirmed: Set<String> = []
  private var rows: [String: Set<String>] = [:]
  /// The classes from which the app deleted rows since the run began, so that the run alone did not empty them.
  private var thinnedByApp: Set<String> = []

  init(confirmed: Set<String> = []) { self.confirmed = confirmed }

  mutating func note(_ notes: StoreNotes, _ classes: ClassTable) {
    for (className, fields) in notes.removed {
      guard let row = classes.name(of: className, fields) else { continue }
      rows[className, default: []].insert(row)
    }
  }

  /// The app deleted a row of a class.
  mutating func noteDelete(in className: String?) {
    if let className { thinnedByApp.insert(className) }
  }

  /// No class is emptied without a confirmation; `isThere` says whether the server still has a row.
  func check(
    _ view: DeviceView, of world: World, isThere: (String) -> Bool
  ) throws(Violation) {
    // A mark on a record is no guess: what it removes needs no confirmation.
    for made in world.classes where made.flag == nil && !thinnedByApp.contains(made.name) {
      let isConfirmed = confirmed.contains { $0.hasPrefix("\(made.name)-") }
      let gone = rows[made.name, default: []].filter { !isThere($0) }
      guard !isConfirmed, gone.count >= Self.guarded,
        !view.rows.contains(where: { $0.className == made.name })
      else { continue }
      throw Violation(
        .massRemoval,
        "a sync of \(view.device) removed all \(gone.count) rows of \(made.name), which nobody "
          + "confirmed")
    }
  }
}
