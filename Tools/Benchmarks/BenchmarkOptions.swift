// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The command line.
struct BenchmarkOptions {
  var subjects = BenchmarkSubject.allCases
  var records: Int?
  var rounds: Int?
  /// The size of a file that is sent or fetched.
  var bytes = 2 << 30
  var isJSON = false
  /// The file of targets.
  var targets: String?
  /// The address of a real Parse Server.
  var realServer: String?
  /// The folder with the scripts of other libraries.
  var peers: String?
  /// Whether a missed target is a failure.
  var failsIfMissed = false
  /// The file for a chart.
  var chart: String?
  /// The file of earlier runs, to which this one is added.
  var history: String?
  /// The name of this run among them.
  var commit = "unknown"
  /// The file for a flame graph of samples, which come from standard input.
  var flameGraph: String?
  var wantsHelp = false
  /// One step of a benchmark; `ferry-bench` starts itself with it, as a process of its own.
  var step: BenchmarkStep?

  static var help: String {
    let subjects = BenchmarkSubject.allCases.map {
      "  \($0.rawValue.padding(toLength: 20, withPad: " ", startingAt: 0))\($0.description)"
    }
    return """
      ferry-bench [--only SUBJECT,…] [--records N] [--bytes N] [--rounds N] [--json]
                  [--targets FILE [--fail]] [--history FILE --commit NAME] [--chart FILE]
                  [--real-server URL] [--peers FOLDER]

      Measures Ferry beside programs that do the same work and keep nothing (ferry-limit, beside this
      program). Each is a process of its own. They take turns, in each of the rounds, and each round gives a
      ratio. The table shows the median of each figure, its range, and whether the best round meets the
      target that a file names. With --fail, a missed target is a failure. --history adds the figures that
      have a target to those of earlier runs, and --chart draws all of them. A subject that needs --real-server
      or --peers is left out without it.

        perf script | ferry-bench --flame-graph FILE      draws samples; Tools/Scripts/flame-graph takes them

      \(subjects.joined(separator: "\n"))
      """
  }

  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--only": subjects = try Self.subjects(arguments.popFirst())
      case "--records": records = try Self.number(arguments.popFirst(), for: argument)
      case "--bytes": bytes = try Self.number(arguments.popFirst(), for: argument)
      case "--rounds": rounds = try Self.number(arguments.popFirst(), for: argument)
      case "--json": isJSON = true
      case "--targets": targets = arguments.popFirst()
      case "--fail": failsIfMissed = true
      case "--chart": chart = arguments.popFirst()
      case "--real-server": realServer = arguments.popFirst()
      case "--peers": peers = arguments.popFirst()
      case "--flame-graph": flameGraph = arguments.popFirst()
      case "--history": history = arguments.popFirst()
      case "--commit": commit = arguments.popFirst() ?? commit
      case "--help", "-h": wantsHelp = true
      case BenchmarkStep.word:
        step = try BenchmarkStep(arguments)
        return
      default: throw UsageError(text: "unknown option \(argument); see ferry-bench --help")
      }
    }
  }

  private static func subjects(_ names: String?) throws -> [BenchmarkSubject] {
    try (names ?? "").split(separator: ",").map {
      guard let subject = BenchmarkSubject(rawValue: String($0)) else {
        throw UsageError(text: "unknown subject \($0); see ferry-bench --help")
      }
      return subject
    }
  }

  private static func number(_ text: String?, for option: String) throws -> Int {
    guard let number = text.flatMap({ Int($0) }), number > 0 else {
      throw UsageError(text: "\(option) needs a number above 0")
    }
    return number
  }

  struct UsageError: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
  }
}
