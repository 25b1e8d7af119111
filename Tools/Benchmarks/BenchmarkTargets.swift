// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The most that figures of subjects should be, from a file that is kept with the sources.
struct BenchmarkTargets: Decodable {
  /// A figure of Ferry's own, its ratio to the limit's, or what it has more than the limit's.
  struct Target: Decodable {
    var ferry: Double?
    var ratio: Double?
    var difference: Double?

    /// The target for a row, and whether it is met; nil where the row has no such figure.
    func verdict(on row: ComparedRow) -> Verdict? {
      if let ferry { return Verdict(target: ferry, figure: row.ferry, form: .own) }
      if let ratio, let figure = row.ratio {
        return Verdict(target: ratio, figure: figure, form: .ratio)
      }
      if let difference, let figure = row.difference {
        return Verdict(target: difference, figure: figure, form: .difference)
      }
      return nil
    }
  }

  /// A target, and whether the best round meets it.
  struct Verdict {
    /// How a figure is made from Ferry's and the limit's.
    enum Form {
      case own, ratio, difference
    }

    var target: Double
    var figure: ComparedFigure
    var form: Form

    var isMet: Bool { figure.minimum <= target }
    var text: String { (form == .own ? "" : "\(form) ") + "≤ " + String(format: "%g", target) }
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

  /// The target of a figure, and whether it is met; nil without one.
  ///
  /// The best round counts: what else the machine does makes a figure worse, and never better.
  func verdict(on row: ComparedRow, of subject: BenchmarkSubject) -> Verdict? {
    targets[subject.rawValue]?[row.name]?.verdict(on: row)
  }
}
