// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Figures of several rounds, by name.
struct BenchmarkResults {
  let records: Int
  private var names: [String] = []
  private var figures: [String: [Double]] = [:]

  init(records: Int) { self.records = records }

  mutating func add(_ name: String, _ figure: Double) {
    if figures[name] == nil { names.append(name) }
    figures[name, default: []].append(figure)
  }

  private struct Row: Encodable {
    var name: String
    var median: Double
    var minimum: Double
    var maximum: Double
  }

  private var rows: [Row] {
    names.map { name in
      let sorted = (figures[name] ?? []).sorted()
      return Row(
        name: name, median: sorted[sorted.count / 2], minimum: sorted[0],
        maximum: sorted[sorted.count - 1])
    }
  }

  var table: String {
    var lines = ["\(records) records; in records/s unless a line says otherwise; median (range)"]
    for row in rows {
      lines.append("\(row.name): \(Int(row.median)) (\(Int(row.minimum)) to \(Int(row.maximum)))")
    }
    return lines.joined(separator: "\n")
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      return String(decoding: try encoder.encode(rows), as: UTF8.self)
    }
  }
}
