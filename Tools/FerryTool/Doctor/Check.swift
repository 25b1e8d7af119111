// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// One thing that was looked at before a sync.
struct Check: Sendable, Equatable {
  /// The consequence for a sync.
  enum Verdict: Sendable, Equatable {
    case ok
    /// It works, but slower or otherwise than one may think.
    case notice
    /// It cannot be told from here.
    case unknown
    /// A sync would not work, or something is open that has to be closed; with the exit code that
    /// `ferry doctor` ends with when it is the first.
    case problem(ExitCode)

    var word: String {
      switch self {
      case .ok: "ok"
      case .notice: "notice"
      case .unknown: "unknown"
      case .problem: "problem"
      }
    }
  }

  /// The thing that was checked, in a word or two that stay the same.
  var name: String
  var verdict: Verdict
  /// The finding, in sentences.
  var finding: String
  /// The advice, in sentences; empty where there is none.
  var advice = ""
  /// Commands to type or requests to send, word for word.
  var commands: [String] = []

  init(
    _ name: String, _ verdict: Verdict, _ finding: String, advice: String = "",
    commands: [String] = []
  ) {
    self.name = name
    self.verdict = verdict
    self.finding = finding
    self.advice = advice
    self.commands = commands
  }
}

extension Check {
  /// A problem for which a command would end too.
  init(_ name: String, failing failure: Failure) {
    self.init(name, .problem(failure.exitCode), failure.message)
  }

  var json: Value {
    [
      "name": .string(name), "verdict": .string(verdict.word), "finding": .string(finding),
      "advice": .string(advice), "commands": .texts(commands),
    ]
  }
}
