// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// The sums and elements to which all edits lead together.
struct CounterLedger {
  /// The sum of each writer's additions.
  private var sums: [Int: [RowField: Double]] = [:]
  /// The elements that were added, each with the last who did.
  private var added: [RowField: [Double: Int]] = [:]
  /// The elements that are removed, each with those who did.
  private var removed: [RowField: [Double: Set<Int>]] = [:]

  /// The rows of which edits went with a delete.
  private var forgotten: Set<String> = []

  mutating func forget(_ title: Value) {
    if case .string(let title) = title { forgotten.insert(title) }
  }

  mutating func add(_ amount: Double, to field: String, of title: String, by writer: Int) {
    sums[writer, default: [:]][RowField(row: title, field: field), default: 0] += amount
  }

  /// The sums of a writer's additions.
  subscript(writer: Int) -> [RowField: Double] {
    get { sums[writer] ?? [:] }
    set { sums[writer] = newValue }
  }

  mutating func note(
    added new: Set<Double>, removed gone: Set<Double>, to field: String, of title: String,
    by writer: Int
  ) {
    let place = RowField(row: title, field: field)
    for element in new {
      added[place, default: [:]][element] = writer
      removed[place]?[element]?.remove(writer)
    }
    for element in gone {
      removed[place, default: [:]][element, default: []].insert(writer)
    }
  }

  /// An app changed a row.
  mutating func note(from before: Record?, to after: Record, of entity: Entity, by writer: Int) {
    guard case .string(let title)? = after.fields["title"] else { return }
    for field in entity.fields {
      let (old, new) = (before.map { $0[field.name] } ?? .null, after[field.name])
      switch field.merge {
      case .increment:
        add((new.counted ?? 0) - (old.counted ?? 0), to: field.name, of: title, by: writer)
      case .set:
        let (had, has) = (old.countedElements, new.countedElements)
        note(
          added: has.subtracting(had), removed: had.subtracting(has), to: field.name, of: title,
          by: writer)
      case .lines, nil: break
      }
    }
  }

  /// The first field of a record with another sum or other elements.
  func check(_ fields: Fields, of title: String, _ entity: Entity) -> Violation? {
    guard !forgotten.contains(title) else { return nil }
    for field in entity.fields {
      let place = RowField(row: title, field: field.name)
      let value = fields[field.name] ?? .null
      switch field.merge {
      case .increment:
        let sum = sums.values.reduce(0) { $0 + ($1[place] ?? 0) }
        let there = value.counted ?? 0
        guard sum == there else {
          return Violation(.lostWrite, "\(title).\(field.name) is \(there), and the sum is \(sum)")
        }
      case .set:
        let adders = added[place] ?? [:]
        let standing = Set(adders.keys.filter { removed[place]?[$0]?.isEmpty ?? true })
        let there = value.countedElements
        // Documented: a repeated addition brings an element again that another client removed in between.
        let wrong = there.subtracting(standing).filter { element in
          guard let adder = adders[element], adder >= 0 else { return true }
          return removed[place]?[element]?.contains(adder) == true
        }
        guard standing.isSubset(of: there), wrong.isEmpty else {
          return Violation(
            .lostWrite,
            "\(title).\(field.name) has \(there.sorted()), and should have \(standing.sorted())")
        }
      case .lines, nil: break
      }
    }
    return nil
  }
}

extension Value {
  /// The number; nil for any other value.
  var counted: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  var countedElements: Set<Double> {
    if case .array(let elements) = self { Set(elements.compactMap(\.counted)) } else { [] }
  }
}
