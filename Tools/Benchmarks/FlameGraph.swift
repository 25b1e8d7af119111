// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A picture of where a program spends its time: each box is a function, as wide as its share, above its caller.
struct FlameGraph {
  /// A function below the same callers.
  private struct Frame {
    var name: String
    var library: String
    var samples = 0
    /// The functions that it calls, by their place in `frames`.
    var callees: [Int] = []
  }

  private static let (width, rowHeight, top) = (1200.0, 16.0, 26.0)
  /// Boxes of less than this share are left out.
  private static let leastShare = 0.003

  private var frames = [Frame(name: "all", library: "")]

  /// Reads the samples that `perf script` prints: for each, a line, its functions from the innermost on, an empty line.
  init(samples lines: some Sequence<String>) {
    var stack: [(name: String, library: String)] = []
    for line in lines {
      if line.hasPrefix("\t"), let frame = Self.frame(line) {
        stack.append(frame)
      } else if line.isEmpty {
        add(stack)
        stack = []
      }
    }
    add(stack)
  }

  var isEmpty: Bool { frames[0].samples == 0 }

  /// The name and the library of a line such as `  7f12 sqlite3_step+0x12 (/usr/lib/libsqlite3.so.0)`.
  private static func frame(_ line: String) -> (name: String, library: String)? {
    let words = line.drop(while: \.isWhitespace).split(separator: " ", maxSplits: 1)
    guard words.count == 2, let open = words[1].range(of: " (", options: .backwards) else {
      return nil
    }
    var name = words[1][..<open.lowerBound]
    if let offset = name.range(of: "+0x", options: .backwards) { name = name[..<offset.lowerBound] }
    let path = words[1][open.upperBound...].dropLast()
    return (String(name), path.split(separator: "/").last.map(String.init) ?? "")
  }

  private mutating func add(_ stack: [(name: String, library: String)]) {
    guard !stack.isEmpty else { return }
    frames[0].samples += 1
    var place = 0
    for frame in stack.reversed() {
      // An inlined function is part of its caller.
      let library = frame.library == "inlined" ? frames[place].library : frame.library
      place = callee(of: place, frame.name, library)
      frames[place].samples += 1
    }
  }

  private mutating func callee(of place: Int, _ name: String, _ library: String) -> Int {
    if let known = frames[place].callees.first(where: { frames[$0].name == name }) { return known }
    frames.append(Frame(name: name, library: library))
    frames[place].callees.append(frames.count - 1)
    return frames.count - 1
  }

  var svg: String {
    let depth = depth(of: 0)
    let height = Self.top + Double(depth) * Self.rowHeight + 8
    let boxes = boxes(of: 0, at: 0, level: depth - 1)
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(height))" role="img" \
      font-family="system-ui, sans-serif" font-size="11">
      <title>Where the time goes</title>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="8" y="16" fill="#222222">\(frames[0].samples) samples. Each box is as wide as its share, above its caller. \
      Blue: Ferry and Swift; orange: SQLite; green: simdjson and others; grey: the system.</text>
      \(boxes.joined(separator: "\n"))
      </svg>

      """
  }

  private func isShown(_ place: Int) -> Bool {
    Double(frames[place].samples) >= Self.leastShare * Double(frames[0].samples)
  }

  private func depth(of place: Int) -> Int {
    1 + (frames[place].callees.filter(isShown).map { depth(of: $0) }.max() ?? 0)
  }

  private func boxes(of place: Int, at x: Double, level: Int) -> [String] {
    var boxes = [box(frames[place], at: x, level: level)]
    var x = x
    for callee in frames[place].callees.sorted(by: { frames[$0].name < frames[$1].name })
    where isShown(callee) {
      boxes += self.boxes(of: callee, at: x, level: level - 1)
      x += width(of: frames[callee])
    }
    return boxes
  }

  private func width(of frame: Frame) -> Double {
    Self.width * Double(frame.samples) / Double(frames[0].samples)
  }

  private func box(_ frame: Frame, at x: Double, level: Int) -> String {
    let (y, width) = (Self.top + Double(level) * Self.rowHeight, width(of: frame))
    let share = String(format: "%.1f %%", 100 * Double(frame.samples) / Double(frames[0].samples))
    let name = Self.escaped(frame.name)
    // A letter takes some 6 units.
    let room = Int((width - 6) / 6)
    let label = room < 3 ? "" : Self.escaped(String(frame.name.prefix(room)))
    return """
      <g><title>\(name), \(share)</title><rect x="\(Self.text(x))" y="\(Self.text(y))" width="\(Self.text(width))" \
      height="\(Self.text(Self.rowHeight - 1))" fill="\(Self.colour(of: frame))"/>\
      <text x="\(Self.text(x + 3))" y="\(Self.text(y + 11))">\(label)</text></g>
      """
  }

  private static func colour(of frame: Frame) -> String {
    let library = frame.library
    if library.contains("sqlite") { return "#f2b56b" }
    if library.contains("kernel") || library.contains("libc.so") || library.isEmpty {
      return "#cfcfcf"
    }
    if library.hasPrefix("libswift") || library.hasPrefix("ferry") { return "#8fb8de" }
    return "#a5cf9b"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func text(_ length: Double) -> String { String(format: "%.2f", length) }
}
