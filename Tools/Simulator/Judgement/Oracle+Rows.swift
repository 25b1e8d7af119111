// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

// The knowledge of a row.
extension Oracle {
  /// Whether older programs do not declare the field.
  func isLater(_ place: RowField) -> Bool {
    classes.isLater(place.field, of: rights.classes[place.row])
  }

  /// Whether nobody can tell a record of the row from a deleted one, because its user may not read it.
  ///
  /// Documented: such a record looks deleted, so a device may create it a second time.
  func isDisputed(_ row: String) -> Bool {
    rights.everHidden.contains(row)
      && (world.settings.editWins || unanswered.contains(row) || revived.contains(row))
  }

  /// Whether an app took back the delete of a row in a class whose deletes are marks.
  var hasRevivedMarked: Bool {
    revived.contains { classes.flag(of: rights.classes[$0] ?? "") != nil }
  }
}

extension Oracle {
  /// An edit goes with its row only where deletes win, or where the app deleted the row.
  func checkMayGo(
    _ place: RowField, _ content: Content, isThere: Bool, _ view: DeviceView
  ) throws(Violation) {
    guard world.settings.editWins, !hasGoneBack, !isThere else { return }
    throw Violation(
      .lostWrite,
      "\(view.device) wrote \(content.text) into \(place.row).\(place.field), which went with its row "
        + "although edits win")
  }
}

extension OutboxEntry {
  var isDelete: Bool { kind == .delete || kind == .deleteAfterCreate }
}
