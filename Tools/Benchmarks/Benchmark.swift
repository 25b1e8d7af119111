// Ferry: offline-first sync for Parse Server. MIT licence.

/// A subject that `ferry-bench` measures, with all that its rounds begin from.
protocol Benchmark {
  /// How many rounds there are where the command line does not say.
  static var rounds: Int { get }
  /// The program or the work that Ferry is compared with; nil where there is none.
  var limitName: String? { get }

  /// Measures Ferry in a process of its own.
  func measureFerry(_ round: Int) throws -> Measurement
  /// Measures the limit in a process of its own; nil where there is none.
  func measureLimit(_ round: Int) throws -> Measurement?
  /// Stops servers and removes files.
  func end()
}

extension Benchmark {
  static var rounds: Int { 5 }

  /// Measures Ferry and the limit in turns.
  func measured(_ subject: BenchmarkSubject, _ rounds: Int) throws -> ComparedResults {
    var results = ComparedResults(subject: subject, limitName: limitName)
    for round in 0..<rounds {
      // The second program finds the machine as the first one left it.
      if round.isMultiple(of: 2) {
        let limit = try measureLimit(round)
        results.rounds.append(.init(ferry: try measureFerry(round), limit: limit))
      } else {
        let ferry = try measureFerry(round)
        results.rounds.append(.init(ferry: ferry, limit: try measureLimit(round)))
      }
    }
    return results
  }
}
