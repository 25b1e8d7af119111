// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Shows the list, the status and what the program says. Where the output is no terminal, it prints what changes.
actor Screen {
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  private var title = ""
  private var lines: [NoteList.Line] = []
  /// The notes that the last change of the list brought.
  private var fresh: Set<LocalID> = []
  private var status = ""
  private var message = ""

  func open() { write(isTerminal ? "\u{1B}[?1049h\u{1B}[2J" : "") }

  /// Gives the terminal back as it was.
  func close() { write(isTerminal ? "\u{1B}[?7h\u{1B}[?1049l" : "") }

  func show(_ lines: [NoteList.Line], under title: String) {
    let earlier = self.lines
    let difference = ListDifference(from: earlier, to: lines, identifiedBy: \.note.id)
    let changed = title == self.title ? difference.inserted + difference.updated : []
    fresh = Set(changed.map { lines[$0].note.id })
    (self.lines, self.title) = (lines, title)
    draw(
      orPrint: difference.removed.map { "- \(earlier[$0].text())" }
        + difference.inserted.map { "+ \(lines[$0].text())" }
        + difference.updated.map { "~ \(lines[$0].text())" })
  }

  func show(status: String) {
    guard status != self.status else { return }
    self.status = status
    draw(orPrint: ["[\(status)]"])
  }

  func say(_ text: String) {
    message = text
    draw(orPrint: text.isEmpty ? [] : [text])
  }

  /// Invites the person to type.
  func prompt(_ question: String = "> ") {
    guard isTerminal else { return }
    draw(orPrint: [])
    write("\u{1B}[\(size.rows - 1);1H\u{1B}[J\(question.printable)")
  }

  /// Draws all but the two last rows, where the person types and the system keeps what was typed.
  private func draw(orPrint texts: [String]) {
    guard isTerminal else { return write(texts.map { $0.printable + "\n" }.joined()) }
    let (rows, columns) = size
    let said = message.wrapped(to: columns)
    let room = max(rows - 4 - said.count, 1)
    var frame = ["\u{1B}[1m\(title.cut(to: columns).printable)\u{1B}[0m"]
    for line in lines.prefix(lines.count > room ? room - 1 : room) {
      let text = line.text(in: columns).printable
      frame.append(fresh.contains(line.note.id) ? "\u{1B}[1m\(text)\u{1B}[0m" : text)
    }
    if lines.count > room { frame.append("… and \(lines.count - room + 1) more") }
    frame += Array(repeating: "", count: max(rows - 3 - said.count - frame.count, 0)) + said
    frame.append("\u{1B}[2m\(status.printable)\u{1B}[0m")
    let body = frame.enumerated().map { "\u{1B}[\($0 + 1);1H\($1)\u{1B}[K" }.joined()
    // Without a wrap, a line that is too long is cut. The cursor goes back to what the person types.
    write("\u{1B}7\u{1B}[?7l\(body)\u{1B}[?7h\u{1B}8")
  }

  private var size: (rows: Int, columns: Int) {
    var size = winsize()
    let isKnown = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0
    guard isKnown, size.ws_row > 7, size.ws_col > 19 else { return (24, 80) }
    return (Int(size.ws_row), Int(size.ws_col))
  }

  private func write(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

extension String {
  func cut(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }

  func counted(_ count: Int) -> String { "\(count) \(self)\(count == 1 ? "" : "s")" }

  /// The text without characters that would steer the terminal: others have written it.
  fileprivate var printable: String {
    let joiners: CharacterSet = ["\u{200C}", "\u{200D}"]
    let steering = CharacterSet.controlCharacters.subtracting(joiners.union(["\n"]))
    return components(separatedBy: steering).joined(separator: "·")
  }

  /// Lines of a width, broken between words.
  fileprivate func wrapped(to width: Int) -> [String] {
    printable.split(separator: "\n").flatMap { line in
      line.split(separator: " ", omittingEmptySubsequences: false).reduce(into: []) { rows, word in
        let fits = rows.last.map { $0.count + word.count < width } ?? false
        if fits { rows[rows.count - 1] += " " + word } else { rows.append(String(word)) }
      }
    }
  }
}
