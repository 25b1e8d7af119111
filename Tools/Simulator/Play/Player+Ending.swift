// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Edits after the end of a world.
extension Player {
  /// A row that everybody may change; nil where there is none.
  func editableRow(on device: Device) throws -> String? {
    let view = try device.view()
    let waiting = Set(view.pending.map { view.name(of: $0, oracle.identities) })
    return view.rows.map(\.name).sorted().first { row in
      !waiting.contains(row) && oracle.history.count(of: row) == 1
        && !oracle.overdue.contains(row)
        && !view.quarantined.contains(row)
        && oracle.rights.mayWrite(row, device.owner)
    }
  }

  /// A writer gives a field of a row another value.
  func edit(_ row: String, _ field: String, by writer: Writer) throws {
    afterStamp += 1
    try make(
      .set(
        row,
        [
          field: field == WorldClass.Name.score
            ? .number(afterStamp) : .text("\(writer.text)\(afterStamp)")
        ]),
      by: writer)
  }
}
