// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The values of a class's fields.
extension WorldClass {
  /// The value of a write: a stamp in the form of the field, as far as the filter leaves room for one.
  ///
  /// - Parameters:
  ///   - field: The field.
  ///   - stamp: The number of the write.
  ///   - writer: The letter or name of the writer.
  ///   - isOutside: Whether the filter shall leave a row with this value out.
  /// - Returns: The value.
  func content(
    of field: String, _ stamp: Int, by writer: String, isOutside: Bool = false
  ) -> Content {
    guard let type = entity.field(field)?.type else { return .empty }
    let plain = Content.stamp(type, stamp, by: writer)
    guard let filter = entity.recordFilter, filter.fields.contains(field) else { return plain }
    let candidates = filter.candidates(for: field, of: type, stamp) + [plain, .empty]
    func answer(_ candidate: Content) -> Bool? {
      filter.holds { $0 == field ? candidate : nil }
    }
    if isOutside { return candidates.first { answer($0) == false } ?? plain }
    return candidates.first { answer($0) == true } ?? candidates.first { answer($0) != false }
      ?? plain
  }

  /// The values of a new row besides its name.
  func basicContents(
    _ stamp: Int, by writer: String, isOutside: Bool = false
  ) -> [String: Content] {
    Dictionary(
      uniqueKeysWithValues: basic.map {
        ($0, content(of: $0, stamp, by: writer, isOutside: isOutside))
      })
  }

  /// A new row.
  func insert(
    _ row: String, _ stamp: Int, by writer: String, isOutside: Bool = false,
    _ pointers: [String: Content] = [:]
  ) -> Edit {
    var fields = pointers.merging(
      basicContents(stamp, by: writer, isOutside: isOutside), uniquingKeysWith: { $1 })
    fields[title] = .text(row)
    return .insert(row, className: name, fields)
  }

  /// Whether a filter compares the field.
  func filters(by field: String) -> Bool {
    entity.recordFilter?.fields.contains(field) ?? false
  }

  /// The type that the later field has by mistake: a number, or a text where it is one.
  var mistake: FieldType {
    switch later.flatMap(entity.field)?.type {
    case .integer, .number: .text
    default: .number
    }
  }

  /// A value of that type.
  func mistake(_ stamp: Int) -> [String: Content] {
    later.map { [$0: .stamp(mistake, stamp, by: "c")] } ?? [:]
  }

  /// Whether an edit gives the later field a value of that type.
  func isMistyped(_ fields: [String: Content]) -> Bool {
    guard let later, let content = fields[later], content != .empty else { return false }
    return content.fits(mistake)
  }

  /// Whether devices can read a record with these values.
  func canRead(_ fields: [String: Content]) -> Bool {
    (whole.map { canRead(fields[$0], in: $0) } ?? true)
      && (later.map { canRead(fields[$0], in: $0) } ?? true)
  }

  private func canRead(_ content: Content?, in field: String) -> Bool {
    guard let content, let type = entity.field(field)?.type else { return true }
    return content.fits(type)
  }

  /// Whether devices keep a row with these values; no where they cannot read a value that the filter compares.
  func keeps(_ fields: [String: Content]) -> Bool {
    guard let filter = entity.recordFilter else { return true }
    let answer = filter.holds { field in
      let content = fields[field] ?? .empty
      return canRead(content, in: field) ? content : nil
    }
    return answer == true
  }
}
