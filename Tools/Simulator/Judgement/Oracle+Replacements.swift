// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

// The values that an app replaced.
extension Oracle {
  /// A value that the app replaced does not come back, unless another client wrote it to the server again.
  func checkReplacements(_ device: Int, _ view: DeviceView) throws(Violation) {
    for row in view.rows where isWatched(row.name) {
      for (field, content) in row.fields {
        if view.hidesLater, classes.isLater(field, of: row.className) { continue }
        guard
          replacements.isReplaced(content, in: RowField(row: row.name, field: field), on: device)
        else { continue }
        throw Violation(
          .staleValue,
          "\(view.device) has \(content.text) in \(row.name).\(field) again, which its app replaced"
        )
      }
    }
  }

  /// A conflict is between values of two clients.
  ///
  /// - Returns: The rule that a conflict record breaks, whose server's value the app had replaced.
  func needlessness(of conflict: ConflictRecord, on device: Int) -> Violation? {
    guard [.remoteWon, .localWon].contains(conflict.reason) else { return nil }
    let row = identities.name(
      Pointer(className: conflict.record.className, objectID: conflict.record.objectID))
    guard isWatched(row) else { return nil }
    let remote = conflict.reason == .remoteWon ? conflict.kept : conflict.lost
    for (field, value) in remote.values.sorted(by: { $0.key < $1.key }) {
      let content = Content(value, name: identities.name)
      guard replacements.isReplaced(content, in: RowField(row: row, field: field), on: device)
      else { continue }
      return Violation(
        .staleValue,
        "\(Writer.letter(of: device)) took \(content.text) in \(row).\(field) for a change of others; "
          + "its app replaced that value")
    }
    return nil
  }

  /// Whether a row has one record, of which the device sees each request arrive.
  private func isWatched(_ row: String) -> Bool {
    !hasGoneBack && !history.removed.contains(row) && !rights.everHidden.contains(row)
      && !unwatched.contains(row) && !overdue.contains(row)
  }
}
