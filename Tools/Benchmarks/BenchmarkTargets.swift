// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The most that figures of subjects should be, from a file that is kept with the sources.
struct BenchmarkTargets: Decodable {
  /// A figure of Ferry's own, or its ratio to the limit's.
  struct Target: Decodable {
    var ferry: Double?
    var ratio: Double?

    /// The target in words, and whether a row meets it; nil where the row has no such figure.
    func verdict(on row: ComparedRow) -> (text: String, isMet: Bool)? {
      if let ferry { return ("≤ \(Self.text(ferry))", row.ferry.minimum <= ferry) }
      guard let ratio, let figure = row.ratio else { return nil }
      return ("ratio ≤ \(Self.text(ratio))", figure.minimum <= ratio)
    }

    private static func text(_ number: Double) -> String { String(format: "%g", number) }
  }

  /// By the subject's name, and the figure's.
  private let targets: [String: [String: Target]]

  static let none = BenchmarkTargets(targets: [:])

  private init(targets: [String: [String: Target]]) { self.targets = targets }

  init(from decoder: any Decoder) throws {
    targets = try decoder.singleValueContainer().decode([String: [String: Target]].self)
    for (subject, figures) in targets {
      guard BenchmarkSubject(rawValue: subject) != nil,
        figures.keys.allSatisfy(ComparedRow.names.contains)
      else {
        throw BenchmarkOptions.UsageError(
          text: "the targets of \(subject) name a subject or a figure that there is not")
      }
    }
  }

  /// Reads a file of targets.
  init(file: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(filePath: file)))
  }

  /// The target of a figure in words and whether it is met; nil without one.
  ///
  /// The best round counts: what else the machine does makes a figure worse, and never better.
  func verdict(on row: ComparedRow, of subject: BenchmarkSubject) -> (text: String, isMet: Bool)? {
    targets[subject.rawValue]?[row.name]?.verdict(on: row)
  }
}
