// Ferry: offline-first sync for Parse Server. MIT licence.

/// Up to where the log is folded: in general, and for what the folding program did not know.
struct UnfoldedMarks {
  private static let prefix = "unfolded."

  /// The log is folded up to here but for the marks.
  let foldedThrough: Int64
  private var classes: [Int64: Int64] = [:]
  private var fields: [Int64: [Int: Int64]] = [:]

  init(foldedThrough: Int64) { self.foldedThrough = foldedThrough }

  static func key(_ classNumber: Int64) -> String { "\(prefix)\(classNumber)" }

  static func key(_ classNumber: Int64, _ position: Int) -> String {
    "\(prefix)\(classNumber).\(position)"
  }

  mutating func add(_ token: Int64, key: String) {
    let parts = key.dropFirst(Self.prefix.count).split(separator: ".")
    guard let number = parts.first.flatMap({ Int64($0) }) else { return }
    if parts.count > 1, let position = Int(parts[1]) {
      fields[number, default: [:]][position] = token
    } else {
      classes[number] = token
    }
  }

  /// The marks of a class and of its declared fields.
  func keys(knownTo table: TableLayout) -> [String] {
    let number = table.classNumber
    let positions = table.positions.filter { fields[number]?[$0] != nil }
    return (classes[number] == nil ? [] : [Self.key(number)])
      + positions.map { Self.key(number, $0) }
  }

  /// The token after which whole rows of the log must be folded.
  func start(ofClass number: Int64) -> Int64 { min(classes[number] ?? .max, foldedThrough) }

  /// The token after which a field has edits that are not folded.
  func unfoldedStart(ofField position: Int, ofClass number: Int64) -> Int64 {
    start(ofField: position, ofClass: number) ?? start(ofClass: number)
  }

  /// The token after which a field must be folded; nil if it is folded as far as its class.
  func start(ofField position: Int, ofClass number: Int64) -> Int64? { fields[number]?[position] }

  /// The positions of those fields of a class that are not folded although the row of the log is.
  func unfoldedPositions(of table: TableLayout, at token: Int64) -> Set<Int> {
    guard let marks = fields[table.classNumber] else { return [] }
    return Set(table.positions.filter { marks[$0].map { token > $0 } ?? false })
  }

  /// The earliest of all marks; nil without any.
  var first: Int64? {
    (Array(classes.values) + fields.values.flatMap(\.values)).min()
  }

  /// The token after which fields known to a schema must be folded.
  func start(for layout: SchemaLayout) -> Int64 {
    guard !classes.isEmpty || !fields.isEmpty else { return foldedThrough }
    return layout.allTables.reduce(foldedThrough) { earliest, table in
      let marks = table.positions.compactMap { fields[table.classNumber]?[$0] }
      return min(earliest, start(ofClass: table.classNumber), marks.min() ?? .max)
    }
  }
}
