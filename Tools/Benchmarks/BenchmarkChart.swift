// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A picture of the figures beside their targets, with those of earlier runs as dots.
struct BenchmarkChart {
  private static let (width, rowHeight, top) = (960.0, 22.0, 46.0)
  /// Where the bars begin, and how long one is that just meets its target.
  private static let (left, unit) = (330.0, 170.0)
  /// Bars end at that many times the target.
  private static let longest = 3.0

  let figures: [JudgedFigure]
  let history: BenchmarkHistory

  var svg: String {
    let height = Self.top + Double(figures.count) * Self.rowHeight + 14
    let rows = figures.enumerated().map { row($1, at: Self.top + Double($0) * Self.rowHeight) }
    let line = Self.left + Self.unit
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.text(Self.width)) \(Self.text(height))" role="img" \
      font-family="system-ui, sans-serif" font-size="12">
      <title>Figures of ferry-bench beside their targets</title>
      <rect width="100%" height="100%" fill="#ffffff"/>
      <text x="12" y="18" fill="#222222">Each bar ends at figure ÷ target; at most 1 is met. \
      Dots are earlier runs, newer ones darker.</text>
      <text x="\(Self.text(line))" y="38" fill="#222222" text-anchor="middle">target</text>
      \(rows.joined(separator: "\n"))
      <line x1="\(Self.text(line))" y1="42" x2="\(Self.text(line))" y2="\(Self.text(height - 8))" stroke="#222222"/>
      </svg>

      """
  }

  private func row(_ figure: JudgedFigure, at y: Double) -> String {
    let colour = figure.isMet ? "#2b8a3e" : "#c92a2a"
    let end = Self.place(of: figure.value / figure.target)
    let words = "\(Self.number(figure.value)) of \(Self.number(figure.target))"
    let parts =
      [
        "<text x=\"\(Self.text(Self.left - 8))\" y=\"\(Self.text(y + 14))\" fill=\"#222222\""
          + " text-anchor=\"end\">\(figure.name)</text>",
        "<rect x=\"\(Self.text(Self.left))\" y=\"\(Self.text(y + 4))\" width=\"\(Self.text(end - Self.left))\""
          + " height=\"12\" fill=\"\(colour)\"/>",
        "<text x=\"\(Self.text(end + 6))\" y=\"\(Self.text(y + 14))\" fill=\"#222222\">\(words)</text>",
      ] + dots(of: figure, at: y + 10)
    return parts.joined(separator: "\n")
  }

  private func dots(of figure: JudgedFigure, at y: Double) -> [String] {
    let values = history.runs.dropLast().compactMap { $0.figures[figure.name] }
    return values.enumerated().map { number, value in
      let opacity = 0.25 + 0.6 * Double(number + 1) / Double(values.count)
      let x = Self.place(of: value / figure.target)
      return "<circle cx=\"\(Self.text(x))\" cy=\"\(Self.text(y))\" r=\"3\" fill=\"#1c3d5a\""
        + " stroke=\"#ffffff\" opacity=\"\(Self.text(opacity))\"/>"
    }
  }

  private static func place(of ratio: Double) -> Double { left + unit * min(ratio, longest) }
  private static func text(_ length: Double) -> String { String(format: "%.4g", length) }
  private static func number(_ figure: Double) -> String { String(format: "%.3g", figure) }
}
