// Ferry: offline-first sync for Parse Server. MIT licence.

/// How the tool `ferry` may end while other programs work on its store.
enum ToolRule {
  /// Complete, with differences, in part, and "try again later".
  private static let expected: Set<Int32> = [0, 2, 3, 75]

  /// Says what is wrong with an end; nil where all is well.
  static func fault(of command: String, _ outcome: RunningProgram.Outcome) -> String? {
    let words = outcome.errors.split(separator: "\n").suffix(3).joined(separator: " / ")
    switch outcome.end {
    case nil: return "ferry \(command) hung: \(words)"
    case .signal(let signal): return "ferry \(command) ended by signal \(signal): \(words)"
    case .exit(let code) where !expected.contains(code):
      return "ferry \(command) ended with \(code): \(words)"
    case .exit: return nil
    }
  }

  /// The count that an end belongs to.
  static func name(of end: ProgramRun.End?) -> String {
    switch end {
    case .exit(0), .exit(2): "complete"
    case .exit(3): "in part"
    case .exit(75): "told to try again"
    default: "failed"
    }
  }
}
