// Ferry: offline-first sync for Parse Server. MIT licence.

/// The screen that a terminal makes of a program's bytes, with as much of its language as `notes` uses.
struct TerminalScreen {
  private enum Reading {
    case text, escape
    case control(String)
  }

  private let columns: Int
  private var cells: [[Character]]
  private var (row, column) = (0, 0)
  private var saved = (row: 0, column: 0)
  private var wraps = true
  private var reading = Reading.text
  /// Bytes of a character that has not arrived as a whole.
  private var rest: [UInt8] = []
  /// Whether the program uses a screen of its own, and leaves the other as it was.
  private(set) var isAlternate = false

  init(rows: Int, columns: Int) {
    self.columns = columns
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  var text: String {
    cells.map { row in
      var line = String(row)
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }

  mutating func take(_ bytes: some Sequence<UInt8>) {
    rest += bytes
    // A character has up to four bytes, of which all but the first begin with the bits 10.
    var end = rest.count
    while end > 0, rest.count - end < 4, rest[end - 1] & 0xC0 == 0x80 { end -= 1 }
    if end > 0, rest[end - 1] >= 0xC0 { end -= 1 } else { end = rest.count }
    if String(validating: rest, as: UTF8.self) != nil { end = rest.count }
    let text = String(decoding: rest[..<end], as: UTF8.self)
    rest.removeFirst(end)
    for scalar in text.unicodeScalars { take(scalar) }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    switch reading {
    case .text: put(scalar)
    case .escape:
      switch scalar {
      case "[": reading = .control("")
      case "7": (saved, reading) = ((row, column), .text)
      case "8": (row, column, reading) = (saved.row, saved.column, .text)
      default: reading = .text
      }
    case .control(let parameters):
      guard (0x40...0x7E).contains(scalar.value) else {
        reading = .control(parameters + String(scalar))
        return
      }
      reading = .text
      obey(scalar, parameters)
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\u{1B}": reading = .escape
    case "\r": column = 0
    case "\n":
      row += 1
      if row == cells.count {
        cells.removeFirst()
        cells.append(Array(repeating: " ", count: columns))
        row -= 1
      }
    case "\u{8}": column = max(column - 1, 0)
    case _ where scalar.value < 0x20: break
    default:
      if column == columns {
        guard wraps else { return }
        put("\r")
        put("\n")
      }
      cells[row][column] = Character(scalar)
      column += 1
    }
  }

  private mutating func obey(_ command: Unicode.Scalar, _ parameters: String) {
    let numbers = parameters.split(separator: ";").compactMap { Int($0) }
    switch (command, parameters) {
    case ("H", _):
      row = min(max((numbers.first ?? 1) - 1, 0), cells.count - 1)
      column = min(max((numbers.dropFirst().first ?? 1) - 1, 0), columns - 1)
    case ("K", _): clear(row, from: column)
    case ("J", "2"): for row in cells.indices { clear(row, from: 0) }
    case ("J", _):
      clear(row, from: column)
      for row in cells.indices where row > self.row { clear(row, from: 0) }
    case ("h", "?1049"): isAlternate = true
    case ("l", "?1049"): isAlternate = false
    case ("h", "?7"): wraps = true
    case ("l", "?7"): wraps = false
    default: break
    }
  }

  private mutating func clear(_ row: Int, from column: Int) {
    for place in column..<max(columns, column) { cells[row][place] = " " }
  }
}
