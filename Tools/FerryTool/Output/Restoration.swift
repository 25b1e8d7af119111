// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The result of a restore of a conflict record.
struct Restoration: Sendable {
  var conflict: ConflictRecord
  /// The values that were written.
  var written: Fields
  /// The values that the row had in their place, as far as they were others.
  var replaced: Fields
  /// The lost values that no declared field can hold.
  var leftOut: [String]
  var row: RecordReference
  /// Whether the values went into a new row, because theirs is gone.
  var isNewRow: Bool

  /// Whether the row changed by it.
  var isEdit: Bool { isNewRow || !replaced.isEmpty }

  var lines: [String] {
    let number = conflict.id.map { "\($0)" } ?? "?"
    let values = Self.texts(written)
    let place = "\(row.className) #\(row.localID)"
    let head =
      isNewRow
      ? "Restored the conflict record \(number) as the new row \(place)"
      : "Restored the conflict record \(number) in the row \(place)"
    var lines = [head + (values.isEmpty ? "." : ": \(values.joined(separator: ", ")).")]
    if !replaced.isEmpty {
      lines.append("The row had: \(Self.texts(replaced).joined(separator: ", ")).")
    }
    if !leftOut.isEmpty {
      lines.append(
        "Not restored: \(leftOut.joined(separator: ", ")). ferry.json declares no such field of "
          + "\(row.className), or one that cannot hold the value.")
    }
    lines.append(
      isEdit
        ? "This is a local edit, and the next sync sends it." : "The row had these values already.")
    return lines
  }

  private static func texts(_ fields: Fields) -> [String] {
    fields.names.map { "\($0) = \(ConflictText.text(fields[$0]))" }
  }

  var json: JSONMessage {
    JSONMessage(
      "restored",
      [
        "number": conflict.id.map(Value.integer) ?? .null, "class": .string(row.className),
        "local_id": .integer(row.localID.rawValue), "fields": .object(written.values),
        "replaced": .object(replaced.values),
        "left_out": .texts(leftOut), "new_row": .boolean(isNewRow), "unsent": .boolean(isEdit),
      ])
  }
}
