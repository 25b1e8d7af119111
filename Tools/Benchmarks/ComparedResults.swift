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
    let parts = Set(rounds.flatMap(\.ferry.parts.keys)).sorted()
    return ComparedRow.figures.compactMap { ComparedRow($0.name, rounds, $0.value) }
      + parts.compactMap { name in
        ComparedRow("\(name), ms", rounds) { $0.parts[name].map { $0 * 1000 } }
      }
  }

  /// The rows as a table, with what they should be.
  func text(_ targets: BenchmarkTargets) -> String {
    let title =
      "\(subject.rawValue): \(subject.description); \(rounds.count) rounds, median (range)"
    var cells = [["", "Ferry", limitName ?? "", limitName == nil ? "" : "ratio"]]
    cells += rows.map { row in
      let verdict = targets.verdict(on: row, of: subject).map {
        let figure = $0.form == .difference ? "\($0.figure.text), " : ""
        return "\(figure)\($0.text): \($0.isMet ? "met" : "MISSED")"
      }
      return [
        row.name, row.ferry.text, row.limit?.text ?? "", row.ratio?.text ?? "", verdict ?? "",
      ]
    }
    return ([title] + cells.map(Self.line)).joined(separator: "\n") + "\n"
  }

  private static func line(_ cells: [String]) -> String {
    let last = cells.lastIndex { !$0.isEmpty } ?? 0
    let padded = cells[..<last].map {
      $0.padding(toLength: max(26, $0.count + 2), withPad: " ", startingAt: 0)
    }
    return "  " + padded.joined() + cells[last]
  }

  /// The figures that are worse than they should be.
  func missed(_ targets: BenchmarkTargets) -> [String] {
    rows.filter { targets.verdict(on: $0, of: subject)?.isMet == false }
      .map { "\(subject.rawValue): \($0.name)" }
  }
}

/// One figure of a subject.
struct ComparedRow: Encodable {
  typealias Figure = @Sendable (Measurement) -> Double?

  /// All figures that a subject can have, in the order of the table.
  static let figures: [(name: String, value: Figure)] = [
    ("wall ms", { $0.wallSeconds * 1000 }),
    ("processor ms", { $0.processorSeconds * 1000 }),
    ("peak memory, MiB", { Double($0.peakMemory) / 1_048_576 }),
    ("requests", { $0.requests.map(Double.init) }),
  ]

  static var names: [String] { figures.map(\.name) }

  let name: String
  let ferry: ComparedFigure
  let limit: ComparedFigure?
  /// Of each round its own ratio: what disturbs one round disturbs both programs.
  let ratio: ComparedFigure?
  /// Of each round what Ferry has more than the limit.
  let difference: ComparedFigure?

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
    difference = isCompared ? ComparedFigure(zip(ferry, limit).map { $0 - $1 }) : nil
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
