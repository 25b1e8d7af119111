// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Ferry's figures and those of the limit program, round by round.
struct ComparedResults {
  struct Round {
    var ferry: MeasuredProcess
    var limit: MeasuredProcess
  }

  let subject: ImportSubject
  let records: Int
  var rounds: [Round] = []

  /// The median of some rounds, and their range.
  private struct Figure: Encodable {
    var median: Double
    var minimum: Double
    var maximum: Double

    init(_ figures: [Double]) {
      let sorted = figures.sorted()
      median = sorted[sorted.count / 2]
      minimum = sorted[0]
      maximum = sorted[sorted.count - 1]
    }

    var text: String {
      String(format: "%.2f (%.2f to %.2f)", median, minimum, maximum)
    }
  }

  private struct Row: Encodable {
    var name: String
    var ferry: Figure
    var limit: Figure
    /// Of each round its own ratio: what disturbs one round disturbs both programs.
    var ratio: Figure

    init(_ name: String, _ rounds: [Round], _ figure: (MeasuredProcess) -> Double) {
      self.name = name
      ferry = Figure(rounds.map { figure($0.ferry) })
      limit = Figure(rounds.map { figure($0.limit) })
      ratio = Figure(rounds.map { figure($0.ferry) / figure($0.limit) })
    }
  }

  private var rows: [Row] {
    [
      Row("wall seconds", rounds, \.wallSeconds),
      Row("processor seconds", rounds, \.processorSeconds),
    ]
  }

  var table: String {
    let title = "\(subject.rawValue): \(records) records, \(rounds.count) rounds; median (range)"
    let cells =
      [["", "Ferry", subject.limitName, "ratio"]]
      + rows.map { [$0.name, $0.ferry.text, $0.limit.text, $0.ratio.text] }
    return ([title] + cells.map(Self.line)).joined(separator: "\n")
  }

  private static func line(_ cells: [String]) -> String {
    cells.map { $0.padding(toLength: max(24, $0.count), withPad: " ", startingAt: 0) }.joined()
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return String(decoding: try encoder.encode([subject.rawValue: rows]), as: UTF8.self)
    }
  }
}
