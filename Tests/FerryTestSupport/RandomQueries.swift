// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning
package import FerryStore
import Randomness

/// Random rows of leagues and games, and random queries of them.
///
/// Equal seeds give equal rows and queries. Values are few, so that many of them meet.
package struct RandomQueries {
  private var generator: SeededGenerator
  /// Whether queries name the numbers of rows, which differ between devices.
  private let namesLocalIDs: Bool

  package init(seed: UInt64, namesLocalIDs: Bool = true) {
    generator = SeededGenerator(seed: seed)
    self.namesLocalIDs = namesLocalIDs
  }

  private static let texts: [Value] = [
    "", "a", "A", "b", "é", "e\u{301}", "É", "E", "Straße", "STRASSE", "ΌΣΟΣ", "όσος", "a%b", "a_b",
    "a\\b",
    "İ", "i̇", "ｶﾞ", "が", "か", "Ab Cd", "ab cd", "10", "9", "😀", "ñandú\u{0}x",
  ]
  private static let classes: [String: [(name: String, type: FieldType)]] = Dictionary(
    uniqueKeysWithValues: ["League", "Game"].map { name in
      let entity = StoreConformance.schema.entity(name)
      let fields = (entity?.fields ?? []).map { ($0.name, $0.type) }
      return (name, fields)
    })
  private static let own: [(name: String, type: FieldType)] = [
    ("objectId", .text), ("createdAt", .date), ("updatedAt", .date), ("localId", .integer),
  ]

  private mutating func number(_ range: ClosedRange<Int64>) -> Int64 {
    Int64.random(in: range, using: &generator)
  }
  private mutating func happens(_ one: Int, in all: Int) -> Bool {
    Int.random(in: 0..<all, using: &generator) < one
  }
  private mutating func pick<Element>(_ list: [Element]) -> Element {
    list[Int.random(in: 0..<list.count, using: &generator)]
  }

  // MARK: Rows

  /// Fills stores with the same leagues and games; the server does not know some of them.
  package mutating func fill(_ stores: [any SyncStore]) throws {
    for (className, count) in [("League", 7), ("Game", 40)] {
      let prefix = className == "League" ? "l" : "g"
      let imported = (0..<count).map { place in
        ImportRow(
          localID: nil, objectID: "\(prefix)\(place)",
          createdAt: Timestamp(milliseconds: number(-2...2)),
          version: happens(1, in: 4)
            ? nil : ServerVersion(rawValue: Timestamp(milliseconds: number(0...3)).description),
          acl: .null, values: values(of: className))
      }
      let names = (Self.classes[className] ?? []).map(\.name)
      let own = (count..<(count + count / 5)).map { place in
        let fields = Dictionary(
          zip(names, values(of: className)), uniquingKeysWith: { first, _ in first })
        return ("\(prefix)\(place)", Fields(fields))
      }
      for store in stores {
        try store.importRows(className, imported)
        try store.write { db in
          for (objectID, fields) in own { _ = try db.insert(className, fields, objectID: objectID) }
        }
      }
    }
    var edits = RandomEdits(seed: UInt64(number(0...Int64.max)))
    try edits.make(in: stores)
  }

  private mutating func values(of className: String) -> [Value] {
    (Self.classes[className] ?? []).map { field in
      happens(1, in: 5) ? field.type.emptyValue : value(field.type)
    }
  }

  private mutating func value(_ type: FieldType) -> Value {
    switch type {
    case .text: return pick(Self.texts)
    case .integer: return .integer(number(-2...2))
    case .number:
      return happens(1, in: 2) ? .integer(number(-2...2)) : .number(Double(number(-5...5)) / 4)
    case .boolean: return .boolean(happens(1, in: 2))
    case .date: return .date(Timestamp(milliseconds: number(-2...2)))
    // Some rows are not there.
    case .pointer(let target):
      return .pointer(Pointer(className: target, objectID: "l\(number(0...9))"))
    case .bytes: return .bytes(Array(repeating: 1, count: Int(number(0...3))))
    case .object: return .object(["a": .integer(number(0...1)), "b": pick(Self.texts)])
    case .array: return .array((0..<number(0...3)).map { _ in element() })
    case .geoPoint: return .geoPoint(place())
    case .polygon: return .polygon([place(), place(), place()])
    case .file: return .file(File(name: "\(number(0...2)).jpg", url: "elsewhere"))
    case .relation(let target): return .relation(className: target)
    }
  }

  private mutating func element() -> Value {
    switch number(0...5) {
    case 0: .null
    case 1: .number(Double(number(-2...2)) / 2)
    case 2: .object(["a": .integer(number(0...1))])
    case 3: .array([.integer(number(0...1))])
    case 4: .pointer(Pointer(className: "League", objectID: "l\(number(0...2))"))
    default: happens(1, in: 2) ? pick(Self.texts) : .integer(number(-1...1))
    }
  }

  private mutating func place() -> GeoPoint {
    let longitude = pick([-180.0, -179.5, -90, 0, 13.4, 90, 179.5, 180])
    return GeoPoint(latitude: Double(number(-9...9)) * 10, longitude: longitude)
  }

  /// The fields of a new row of a class.
  package mutating func newRow(of className: String) -> Fields {
    let names = (Self.classes[className] ?? []).map(\.name)
    return Fields(
      Dictionary(zip(names, values(of: className)), uniquingKeysWith: { first, _ in first }))
  }

  // MARK: Queries

  /// A query of a class.
  package mutating func query(_ className: String, depth: Int = 3) -> Query {
    let order: [SortOrder] = (0..<number(0...3)).map { _ in
      let name = field(of: className, where: \.isOrdered).name
      return happens(1, in: 2) ? .ascending(name) : .descending(name)
    }
    return Query(
      className, where: happens(1, in: 8) ? nil : condition(of: className, depth: depth),
      orderedBy: order, limit: happens(1, in: 3) ? Int(number(0...12)) : nil,
      offset: happens(1, in: 4) ? Int(number(0...5)) : 0)
  }

  /// A field of a class, one in three behind pointers.
  package mutating func field(
    of className: String, where isFit: (FieldType) -> Bool
  ) -> (name: String, type: FieldType) {
    if happens(1, in: 3) {
      let hop = className == "Game" ? "league" : "parent"
      let (name, type) = field(of: "League", where: isFit)
      if isFit(type) { return ("\(hop).\(name)", type) }
    }
    let own = Self.own.filter { namesLocalIDs || $0.name != "localId" }
    let fields = ((Self.classes[className] ?? []) + own).filter { isFit($0.type) }
    // A league has no place; the caller looks at the type.
    return fields.isEmpty ? ("name", .text) : pick(fields)
  }

  /// A condition of any kind.
  package mutating func condition(of className: String, depth: Int) -> Condition {
    switch number(0...(depth > 0 ? 12 : 7)) {
    case 0:
      return compared(
        field(of: className, where: \.isOrdered),
        by: [
          .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
        ])
    case 1:
      return compared(field(of: className, where: { !$0.isRelation }), by: [.equal, .notEqual])
    case 2: return .isNull(field(of: className, where: { _ in true }).name)
    case 3:
      let (name, type) = field(of: className, where: { !$0.isRelation })
      return .oneOf(name, (0..<number(0...3)).map { _ in given(type) })
    case 4: return text(of: className)
    case 5:
      let (name, type) = field(of: className, where: { $0 == .array })
      return type == .array ? .contains(name, element()) : .isNull(name)
    case 6:
      let (name, type) = field(of: className, where: { $0 == .geoPoint })
      return type == .geoPoint ? .within(name, area()) : .isNull(name)
    case 7:
      return .unsent(Set(UnsentState.allCases.filter { _ in happens(1, in: 3) }))
    case 8: return .not(condition(of: className, depth: depth - 1))
    case 9: return .all((0..<number(0...3)).map { _ in condition(of: className, depth: depth - 1) })
    case 10:
      return .any((0..<number(0...3)).map { _ in condition(of: className, depth: depth - 1) })
    default: return among(of: className, depth: depth - 1)
    }
  }

  private mutating func compared(
    _ field: (name: String, type: FieldType), by comparisons: [Condition.Comparison]
  ) -> Condition {
    .field(field.name, pick(comparisons), given(field.type))
  }

  private mutating func given(_ type: FieldType) -> Value {
    if happens(1, in: 8) { return .null }
    // Whole numbers are also compared with fractions.
    return type == .integer && happens(1, in: 3) ? .number(Double(number(-3...3)) / 2) : value(type)
  }

  private mutating func text(of className: String) -> Condition {
    let (name, _) = field(of: className, where: { $0 == .text })
    guard case .string(let text) = pick(Self.texts) else { return .all([]) }
    let part = happens(1, in: 2) ? text : String(text.unicodeScalars.prefix(1))
    let match: TextMatch =
      switch number(0...4) {
      case 0: .prefix(part)
      case 1: .suffix(part)
      case 2: .contains(part)
      case 3: .equals(text)
      default:
        .like(
          pick(["%", "_", "%" + part, part + "%", "_%", "%\\%%", "a_%b", "%" + part + "%", text]))
      }
    return .text(
      name, match,
      pick([.exact, .ignoringCase, .ignoringDiacritics, [.ignoringCase, .ignoringDiacritics]]))
  }

  private mutating func area() -> GeoArea {
    if happens(1, in: 2) {
      return .circle(around: place(), kilometres: pick([-1, 0, 60, 1200, 9000, 30_000]))
    }
    return .box(southWest: place(), northEast: place())
  }

  /// Aggregates of the rows of a class, and the fields of their groups.
  package mutating func summaries(of className: String) -> (
    aggregates: [Aggregate], groups: [String]
  ) {
    let aggregates: [Aggregate] = (0..<number(0...3)).map { _ in
      switch number(0...5) {
      case 0: return .count
      case 1: return .countOf(field(of: className, where: { _ in true }).name)
      case 2: return .minimum(field(of: className, where: \.isOrdered).name)
      case 3: return .maximum(field(of: className, where: \.isOrdered).name)
      case let which:
        let (name, type) = field(of: className, where: { $0 == .integer || $0 == .number })
        // A league has no number but that of its row.
        guard type == .integer || type == .number else { return .countOf(name) }
        return which == 4 ? .sum(name) : .average(name)
      }
    }
    let groups = (0..<number(0...2)).map { _ in field(of: className, where: \.isOrdered).name }
    return (aggregates, groups)
  }

  /// Some fields of a class, of any type.
  package mutating func fields(of className: String) -> [String] {
    (0..<number(0...4)).map { _ in field(of: className, where: { _ in true }).name }
  }

  private mutating func among(of className: String, depth: Int) -> Condition {
    let other = pick(["League", "Game"])
    let query = query(other, depth: depth)
    switch number(0...3) {
    case 0:
      return .among(className == "Game" ? "league" : "parent", self.query("League", depth: depth))
    case 1:
      let pointer = other == "Game" ? "league" : "parent"
      return .among(className == "League" ? "objectId" : "league.objectId", query, of: pointer)
    case 2:
      return .among(
        className == "Game" ? "title" : "name", query, of: other == "Game" ? "title" : "parent.name"
      )
    default:
      guard namesLocalIDs else {
        return .among("createdAt", query, of: other == "Game" ? "playedAt" : "updatedAt")
      }
      return .among(
        className == "Game" ? "rating" : "localId", query, of: other == "Game" ? "score" : "localId"
      )
    }
  }
}

extension Condition {
  /// Whether it asks for unsent changes of the class's own rows, of which a row alone says nothing.
  package var asksForUnsent: Bool {
    switch self {
    case .unsent: true
    case .all(let conditions), .any(let conditions): conditions.contains(where: \.asksForUnsent)
    case .not(let condition): condition.asksForUnsent
    case .field, .oneOf, .isNull, .text, .contains, .within, .among: false
    }
  }
}
