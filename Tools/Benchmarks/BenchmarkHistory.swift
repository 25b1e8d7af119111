// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The figures of earlier runs that have a target, oldest first, in a file that is kept with the sources.
struct BenchmarkHistory: Codable {
  /// A run of all or some subjects.
  struct Run: Codable {
    var commit: String
    /// By subject and figure; a figure that is a ratio says so in its name.
    var figures: [String: Double] = [:]
  }

  private(set) var runs: [Run] = []

  /// Reads a file; a history without runs where there is none.
  init(file: String) throws {
    guard FileManager.default.fileExists(atPath: file) else { return }
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: file)))
  }

  /// Adds a run, which replaces an earlier one of the same commit.
  mutating func add(_ run: Run) {
    runs.removeAll { $0.commit == run.commit }
    runs.append(run)
  }

  func write(to file: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(filePath: file))
  }
}

extension ComparedResults {
  /// The figures that have a target.
  func judged(by targets: BenchmarkTargets) -> [JudgedFigure] {
    rows.compactMap { row in
      targets.verdict(on: row, of: subject).map {
        JudgedFigure(
          name: "\(subject.rawValue): \(row.name)\($0.form == .own ? "" : ", \($0.form)")",
          value: $0.figure.median, target: $0.target, isMet: $0.isMet)
      }
    }
  }
}

/// A figure of a run, beside its target.
struct JudgedFigure {
  var name: String
  var value: Double
  /// The most that it should be.
  var target: Double
  var isMet: Bool
}
