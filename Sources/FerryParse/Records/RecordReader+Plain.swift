// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// Reads records straight from the tape into a batch. `read` decides what a record is; this only knows the
// common ones, and leaves every other to it.
extension RecordReader {
  /// Whether records of the class may go into a batch: a serializer of the app wants values.
  var readsPlainRows: Bool { entity.serializer == nil }

  /// Reads one record into the batch's next row; false where the record needs `read`.
  ///
  /// A record with a client key needs it, and one that is marked as deleted.
  mutating func readPlain(_ element: JSONElement, into batch: inout RowBatch) -> Bool {
    guard let object = element.object else { return false }
    batch.beginRow()
    let isPlain = fillRow(object, &batch)
    if !isPlain { batch.dropRow() }
    return isPlain
  }

  private mutating func fillRow(_ object: JSONObject, _ batch: inout RowBatch) -> Bool {
    var place = 0
    var strangers = 0
    forgetSeen()
    for member in object {
      guard let position = keys.position(of: member.key, from: place) else {
        strangers += 1
        continue
      }
      guard note(position) else { return false }
      place = position + 1
      guard fill(position, member.value, &batch) else { return false }
    }
    guard hasSeenIdentity else { return false }
    return strangers < 2 || object.duplicateKey == nil
  }

  /// Fills the cell of a key; false where only `read` says what the value means.
  private func fill(_ position: Int, _ element: JSONElement, _ batch: inout RowBatch) -> Bool {
    switch position {
    case 0:
      guard let id = element.utf8, !id.isEmpty else { return false }
      batch.set(RowBatch.Column.objectID, text: id)
    case 1: return fillStamp(RowBatch.Column.createdAt, element, &batch)
    case 2: return fillStamp(RowBatch.Column.version, element, &batch)
    case 3:
      guard let acl = try? ParseACL.read(element) else { return false }
      batch.set(RowBatch.Column.acl, acl)
    case 4..<(4 + fieldCount): return fillField(position - 4, element, &batch)
    default: return element.utf8 == nil
    }
    return true
  }

  /// The server's text of a stamp is the text that a column has: a stamp has one form.
  private func fillStamp(
    _ column: Int, _ element: JSONElement, _ batch: inout RowBatch
  ) -> Bool {
    guard let text = element.utf8, Timestamp(utf8: text) != nil else { return false }
    batch.set(column, text: text)
    return true
  }

  private func fillField(
    _ field: Int, _ element: JSONElement, _ batch: inout RowBatch
  ) -> Bool {
    if element.isNull { return true }
    let column = RowBatch.Column.firstField + field
    switch plain.kinds[field] {
    case .text:
      guard let text = element.utf8 else { return false }
      batch.set(column, text: text)
    case .integer:
      guard let whole = element.integer else { return fillValue(field, element, &batch) }
      batch.set(column, integer: whole)
    case .number:
      guard let number = element.double else { return false }
      batch.set(column, number: number)
    case .boolean:
      guard let flag = element.boolean, !flag || field != plain.mark else { return false }
      batch.set(column, integer: flag ? 1 : 0)
    case .date:
      guard element.isTyped("Date"), let text = element["iso"] else { return false }
      return fillStamp(column, text, &batch)
    case .pointer:
      guard let id = targetID(field, element) else { return false }
      batch.set(column, text: id)
    case .geoPoint:
      guard let point = ParseGeoPoint.read(element) else { return false }
      return batch.set(column) { (json: inout WireJSON) in
        json.write(point)
        return true
      }
    case .array:
      let isDone = batch.set(column) { (json: inout WireJSON) in json.writeScalars(element) }
      return isDone || fillValue(field, element, &batch)
    case .other: return fillValue(field, element, &batch)
    }
    return true
  }

  /// The long way for one cell: through a value.
  private func fillValue(
    _ field: Int, _ element: JSONElement, _ batch: inout RowBatch
  ) -> Bool {
    guard let value = try? entity.fields[field].type.read(element) else { return false }
    batch.set(RowBatch.Column.firstField + field, value)
    return true
  }

  /// The id in a pointer to the class that the field names.
  private func targetID(_ field: Int, _ element: JSONElement) -> UnsafeBufferPointer<UInt8>? {
    guard element.isTyped("Pointer"), let name = element["className"]?.utf8,
      plain.targets.has(name, at: field)
    else { return nil }
    return element["objectId"]?.utf8
  }
}

extension WireJSON {
  /// Writes an array of texts, numbers, Booleans and nulls, as it writes the array's value; false for any
  /// other element.
  fileprivate mutating func writeScalars(_ element: JSONElement) -> Bool {
    guard let array = element.array else { return false }
    var isFirst = true
    raw("[")
    for element in array {
      if !isFirst { raw(",") }
      isFirst = false
      switch element.kind {
      case .null: raw("null")
      case .boolean: raw(element.boolean == true ? "true" : "false")
      case .string: write(utf8: element.stringBytes)
      case .number:
        if let whole = element.integer {
          raw(String(whole))
        } else {
          write(element.double ?? .nan)
        }
      case .array, .object: return false
      }
    }
    raw("]")
    return true
  }
}
