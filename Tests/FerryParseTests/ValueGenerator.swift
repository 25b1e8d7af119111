// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryTestSupport
import Randomness

/// Makes values that the server accepts, from a seed.
struct ValueGenerator {
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  mutating func value(depth: Int) -> Value {
    let kinds: [FieldType] = [
      .text, .integer, .number, .boolean, .date, .pointer(to: "League"), .bytes, .geoPoint,
      .polygon, .file,
    ]
    switch Int.random(in: 0..<(depth > 3 ? 4 : 6), using: &random) {
    case 0: return .null
    case 4: return value(of: .object, depth: depth)
    case 5: return value(of: .array, depth: depth)
    default: return value(of: kinds.randomElement(using: &random) ?? .text, depth: depth)
    }
  }

  /// Some of an entity's fields, each with a value of its type.
  mutating func fields(of entity: Entity) -> Fields {
    var fields = Fields()
    for field in entity.fields where Bool.random(using: &random) {
      if case .relation = field.type { continue }
      fields[field.name] = value(of: field.type, depth: 0)
    }
    return fields
  }

  mutating func value(of type: FieldType, depth: Int) -> Value {
    switch type {
    case .text: .string(text())
    case .integer: .integer(Int64.random(in: -(1 << 53)...(1 << 53), using: &random))
    case .number: .number(Double.random(in: -1e12...1e12, using: &random))
    case .boolean: .boolean(Bool.random(using: &random))
    case .date:
      .date(
        Timestamp(
          milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
      )
    case .pointer(let target): .pointer(Pointer(className: target, objectID: text() + "x"))
    case .bytes: .bytes((0...Int.random(in: 0..<9, using: &random)).map { UInt8($0 * 29) })
    case .geoPoint: .geoPoint(point())
    case .polygon: .polygon((0..<3).map { _ in point() })
    case .file: .file(File(name: text() + "x", url: "http://x/" + text()))
    case .relation(let target): .relation(className: target)
    case .array:
      .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1) })
    case .object:
      .object(
        Dictionary(
          uniqueKeysWithValues: (0..<Int.random(in: 0..<4, using: &random)).map {
            ("k\($0)", value(depth: depth + 1))
          }))
    }
  }

  private mutating func point() -> GeoPoint {
    GeoPoint(
      latitude: Double.random(in: -90...90, using: &random),
      longitude: Double.random(in: -180...180, using: &random))
  }

  private mutating func text() -> String {
    let pieces = [
      "a", "Zoë", "\n", "\"", "\\", "/", "\u{1F3C6}", "\u{1}", "\u{7f}", "東", "\u{2028}", " ",
    ]
    return (0..<Int.random(in: 0..<8, using: &random)).map { _ in
      pieces.randomElement(using: &random) ?? ""
    }.joined()
  }
}
