// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The fields of a class, as the reader of plain rows needs them: by position, and without strings.
struct PlainColumns: Sendable {
  /// The types that the tape is read for without a `Value`; `other` is read as one.
  enum Kind: UInt8, Sendable {
    case text, integer, number, boolean, date, pointer, geoPoint, array, other
  }

  let kinds: [Kind]
  /// The classes that pointers name; empty for the other fields.
  let targets: KeyTable
  /// The field with the soft-delete mark.
  let mark: Int?

  init(_ entity: Entity) {
    kinds = entity.fields.map { Kind($0.type) }
    targets = KeyTable(
      entity.fields.map { if case .pointer(let target) = $0.type { target } else { "" } })
    if case .softDelete(let field) = entity.deletionStrategy {
      mark = entity.positions[field]
    } else {
      mark = nil
    }
  }
}

extension PlainColumns.Kind {
  init(_ type: FieldType) {
    switch type {
    case .text: self = .text
    case .integer: self = .integer
    case .number: self = .number
    case .boolean: self = .boolean
    case .date: self = .date
    case .pointer: self = .pointer
    case .geoPoint: self = .geoPoint
    case .array: self = .array
    case .bytes, .object, .polygon, .file, .relation: self = .other
    }
  }
}
