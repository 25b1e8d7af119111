// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// `ferry-bench`: measures Ferry beside programs that do the same work and keep nothing.
@main
struct BenchmarkTool {
  static func main() async {
    let options: BenchmarkOptions
    do {
      options = try BenchmarkOptions(CommandLine.arguments.dropFirst())
    } catch {
      FileHandle.standardError.write(Data("ferry-bench: \(error)\n".utf8))
      exit(64)
    }
    guard !options.wantsHelp else { return print(BenchmarkOptions.help) }
    do {
      if let step = options.step {
        try await step.run()
      } else if let file = options.flameGraph {
        try draw(to: file)
      } else {
        try measure(options)
      }
    } catch {
      FileHandle.standardError.write(Data("ferry-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ options: BenchmarkOptions) throws {
    let targets = try options.targets.map(BenchmarkTargets.init(file:)) ?? .none
    var table = ComparedTable()
    var missed: [String] = []
    var judged: [JudgedFigure] = []
    for subject in options.subjects {
      if let option = subject.missingOption(options) {
        if !options.isJSON { print("\(subject.rawValue): left out, because it needs \(option)\n") }
        continue
      }
      let benchmark = try subject.benchmark(options)
      defer { benchmark.end() }
      let results = try benchmark.measured(subject, options.rounds ?? type(of: benchmark).rounds)
      missed += results.missed(targets)
      judged += results.judged(by: targets)
      if options.isJSON { table.add(results) } else { print(results.text(targets)) }
      // A subject takes minutes, and a file or a pipe should show it as soon as it is there.
      fflush(nil)
    }
    if options.isJSON { print(try table.json) }
    try keep(judged, options)
    guard options.failsIfMissed, !missed.isEmpty else { return }
    throw Missed(figures: missed)
  }

  private static func draw(to file: String) throws {
    let graph = FlameGraph(samples: sequence(first: "") { _ in readLine() }.dropFirst())
    guard !graph.isEmpty else {
      throw BenchmarkOptions.UsageError(text: "standard input holds no samples of perf script")
    }
    try Data(graph.svg.utf8).write(to: URL(filePath: file))
  }

  /// Adds the run to the history, and draws it.
  private static func keep(_ figures: [JudgedFigure], _ options: BenchmarkOptions) throws {
    guard let file = options.history else { return }
    var history = try BenchmarkHistory(file: file)
    history.add(
      .init(
        commit: options.commit,
        figures: Dictionary(figures.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })))
    try history.write(to: file)
    guard let chart = options.chart else { return }
    try Data(BenchmarkChart(figures: figures, history: history).svg.utf8)
      .write(to: URL(filePath: chart))
  }

  private struct Missed: Error, CustomStringConvertible {
    var figures: [String]
    var description: String {
      "worse than the targets in the best round: \(figures.joined(separator: ", "))."
    }
  }
}
