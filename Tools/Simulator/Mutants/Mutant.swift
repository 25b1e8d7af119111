// Ferry: offline-first sync for Parse Server. MIT licence.

/// One small change of the planners' code that tests must notice.
package struct Mutant: Sendable {
  /// The kind of change.
  package enum Kind: String, Sendable, CaseIterable {
    case alwaysTrue = "a condition always holds"
    case neverTrue = "a condition never holds"
    case otherComparison = "a comparison is another one"
    case dropped = "a statement is left out"
  }

  /// Its number, by which the copy switches it on.
  package var number: Int
  package var kind: Kind
  /// The file, below the folder of the package.
  package var file: String
  /// The line, from 1 on.
  package var line: Int
  /// The code that it changes.
  package var code: String
}

extension Mutant: CustomStringConvertible {
  package var description: String { "\(number)\t\(file):\(line)\t\(kind.rawValue)\t\(code)" }
}
