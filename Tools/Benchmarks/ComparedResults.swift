// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Ferry's figures and those of the limit program, round by round.
struct ComparedResults {
  struct Round {
    var ferry: Measurement
    var limit: Measurement?
  }

  let subject: BenchmarkSubject
  let limitName: String?
  var rounds: [Round] = []

  /// The figures of a subject, in the order of the table.
  var rows: [ComparedRow] {
    let all = [
      ComparedRow("wall ms", rounds) { $0.wallSeconds * 1000 },
      ComparedRow("processor ms", rounds) { $0.processorSeconds * 1000 },
      ComparedRow("peak memory, MiB", rounds) { Double($0.peakMemory) / 1_048_576 },
      ComparedRow("requests", rounds) { $0.requests.map(Double.init) },
    ]
    return all.compactMap(\.self)
  }

  var text: String {
    let title =
      "\(subject.rawValue): \(subject.description); \(rounds.count) rounds, median (range)"
    var cells = [["", "Ferry", limitName ?? "", limitName == nil ? "" : "ratio"]]
    cells += rows.map { row in
      [row.name, row.ferry.text, row.limit?.text ?? "", row.ratio?.text ?? ""]
    }
    return ([title] + cells.map(Self.line)).joined(separator: "\n") + "\n"
  }

  private static func line(_ cells: [String]) -> String {
    "  "
      + cells.map { $0.padding(toLength: max(24, $0.count), withPad: " ", startingAt: 0) }.joined()
  }
}

/// One figure of a subject.
struct ComparedRow: Encodable {
  let name: String
  let ferry: ComparedFigure
  let limit: ComparedFigure?
  /// Of each round its own ratio: what disturbs one round disturbs both programs.
  let ratio: ComparedFigure?

  /// Fails where Ferry's rounds do not have the figure.
  init?(
    _ name: String, _ rounds: [ComparedResults.Round], _ figure: (Measurement) -> Double?
  ) {
    let ferry = rounds.compactMap { figure($0.ferry) }
    guard ferry.count == rounds.count, !ferry.isEmpty else { return nil }
    let limit = rounds.compactMap { $0.limit.flatMap(figure) }
    self.name = name
    self.ferry = ComparedFigure(ferry)
    let isCompared = limit.count == rounds.count
    self.limit = isCompared ? ComparedFigure(limit) : nil
    ratio = isCompared ? ComparedFigure(zip(ferry, limit).map { $0 / $1 }) : nil
  }
}

/// The median of some rounds, and their range.
struct ComparedFigure: Encodable {
  let median: Double
  let minimum: Double
  let maximum: Double

  init(_ figures: [Double]) {
    let sorted = figures.sorted()
    median = sorted[sorted.count / 2]
    minimum = sorted[0]
    maximum = sorted[sorted.count - 1]
  }

  var text: String {
    let format = median < 100 ? "%.2f (%.2f to %.2f)" : "%.0f (%.0f to %.0f)"
    return String(format: format, median, minimum, maximum)
  }
}

/// The figures of several subjects, for other programs.
struct ComparedTable: Encodable {
  private var subjects: [String: [ComparedRow]] = [:]

  mutating func add(_ results: ComparedResults) {
    subjects[results.subject.rawValue] = results.rows
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
      return String(decoding: try encoder.encode(subjects), as: UTF8.self)
    }
  }
}
