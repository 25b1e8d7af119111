// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryStore

// A program may open the store with fewer classes or fields than another: an older version of the
// app, or a tool. The edits of what it does not know it cannot fold. They stay in the log, behind a
// mark, until a program folds that knows the class or field.
extension SQLiteReader {
  /// Reads the marks.
  func unfoldedMarks() throws -> UnfoldedMarks {
    var marks = UnfoldedMarks(foldedThrough: try meta(.foldedThrough))
    let rows = try statement(
      "SELECT key, value FROM ferry_meta WHERE key >= 'unfolded.' AND key < 'unfolded/'"
    ).rows { ($0.text(0), $0.integer(1)) }
    for (key, token) in rows { marks.add(token, key: key) }
    return marks
  }

  /// Sets and removes marks, as folding up to a token is about to be noted.
  func markUnfolded(through token: Int64) throws {
    let marks = try unfoldedMarks()
    for table in layout.allTables {
      let start = marks.start(ofClass: table.classNumber)
      for key in marks.keys(knownTo: table) {
        try statement("DELETE FROM ferry_meta WHERE key = ?").bound(key).run()
      }
      for column in table.undeclared
      where try wasEdited(column, of: table, after: start, through: token) {
        try setMark(UnfoldedMarks.key(table.classNumber, column.position), to: start)
      }
    }
    let edited = try statement(
      "SELECT class FROM ferry_log WHERE token > ? AND token <= ? AND author = "
        + "\(Author.app.rawValue)"
    ).bound(marks.foldedThrough, token).rows { $0.integer(0) }
    for number in Set(edited) where layout.table(numbered: number) == nil {
      try setMark(UnfoldedMarks.key(number), to: marks.foldedThrough)
    }
  }

  /// An earlier mark stays.
  private func setMark(_ key: String, to token: Int64) throws {
    try statement("INSERT OR IGNORE INTO ferry_meta (key, value) VALUES (?, ?)").bound(key, token)
      .run()
  }

  /// Whether the app changed a column, or inserted rows with another value in it than the default.
  private func wasEdited(
    _ column: CapturedColumn, of table: TableLayout, after start: Int64, through end: Int64
  ) throws -> Bool {
    let rows =
      "ferry_log l WHERE l.token > ?1 AND l.token <= ?2 AND l.class = ?3"
      + " AND l.author = \(Author.app.rawValue) AND l.kind ="
    let updated = try statement(
      "SELECT 1 FROM \(rows) \(LogKind.update.rawValue) AND l.v\(column.position) IS NOT NULL"
    ).bound(start, end, table.classNumber).first { _ in true }
    if updated == true { return true }
    let inserted = try statement(
      "SELECT 1 FROM \(rows) \(LogKind.insert.rawValue) AND EXISTS (SELECT 1 FROM \(table.table) t"
        + " WHERE t.localId = l.localId AND t.\(column.name) IS NOT NULL"
        + " AND t.\(column.name) IS NOT (\(column.defaultText)))"
    ).bound(start, end, table.classNumber).first { _ in true }
    return inserted == true
  }
}

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

  /// The token behind which whole rows of the log are to be folded.
  func start(ofClass number: Int64) -> Int64 { min(classes[number] ?? .max, foldedThrough) }

  /// The positions of those fields of a class that are not folded although the row of the log is.
  func unfoldedPositions(of table: TableLayout, at token: Int64) -> Set<Int> {
    guard let marks = fields[table.classNumber] else { return [] }
    return Set(table.positions.filter { marks[$0].map { token > $0 } ?? false })
  }

  /// The earliest of all marks; nil without any.
  var first: Int64? {
    (Array(classes.values) + fields.values.flatMap(\.values)).min()
  }

  /// The token behind which something is to be folded that a schema knows.
  func start(for layout: SchemaLayout) -> Int64 {
    layout.allTables.reduce(foldedThrough) { earliest, table in
      let marks = table.positions.compactMap { fields[table.classNumber]?[$0] }
      return min(earliest, start(ofClass: table.classNumber), marks.min() ?? .max)
    }
  }
}
