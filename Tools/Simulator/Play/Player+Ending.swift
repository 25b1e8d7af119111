// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

// Edits after the end of a world.
extension Player {
  /// A row that everybody may change; nil where there is none.
  func editableRow(on device: Device) throws -> String? {
    let view = try device.view()
    // On no device: a change that waits for its app there may end with the edit.
    let waiting = Set(
      try devices.flatMap { device in
        let view = try device.view()
        return view.pending.map { view.name(of: $0, oracle.identities) }
      })
    // Where no row goes, one of a record that is gone stays beside the one that was created again.
    let candidates = view.rows.filter { row in
      !world.isNeverRemoved(row.className) || !oracle.history.removed.contains(row.name)
    }
    return candidates.map(\.name).sorted().first { row in
      !waiting.contains(row) && oracle.history.count(of: row) == 1
        && !oracle.overdue.contains(row) && !oracle.history.removedAgain.contains(row)
        && !view.quarantined.contains(row)
        && oracle.rights.mayWrite(row, device.owner)
    }
  }

  /// The fields of a row that anybody may give another value.
  func fields(of row: String) -> [String] { madeClass(of: row)?.written ?? [] }

  private func madeClass(of row: String) -> WorldClass? {
    oracle.rights.classes[row].flatMap(world.madeClass)
  }

  /// A writer gives a field of a row another value.
  func edit(_ row: String, _ field: String, by writer: Writer) throws {
    guard let made = madeClass(of: row) else { return }
    afterStamp += 1
    try make(
      .set(row, [field: made.content(of: field, afterStamp, by: writer.text)]), by: writer)
  }
}

// The server's owner and the other client mend the server at the end.
extension Player {
  /// The other client gives each row that no device can read a whole number again.
  func repairUnreadable() throws {
    var stamp = 1_000_000
    for made in world.classes {
      guard let whole = made.whole else { continue }
      for case .object(let row) in server.rows(of: made.name) {
        guard let name = row[made.title]?.string,
          case .half? = row[whole].map({ Content($0) { _ in "" } })
        else { continue }
        stamp += 1
        try make(.set(name, [whole: made.content(of: whole, stamp, by: "c")]), by: .client)
      }
    }
  }

  /// The server's owner drops each field with the wrong type, and the other client writes its values anew.
  func repairRetyped() throws {
    var stamp = 5_000_000
    for className in oracle.schema.retyped.sorted() {
      guard let made = world.madeClass(className), let later = made.later else { continue }
      let names = server.rows(of: className).filter { $0[later] != nil }
        .compactMap { $0[made.title]?.string }
      try dropField(of: className)
      for name in names {
        stamp += 1
        try make(.set(name, [later: made.content(of: later, stamp, by: "c")]), by: .client)
      }
    }
  }
}
