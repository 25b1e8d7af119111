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
      try await options.step?.run()
      if options.step == nil { try measure(options) }
    } catch {
      FileHandle.standardError.write(Data("ferry-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func measure(_ options: BenchmarkOptions) throws {
    var table = ComparedTable()
    for subject in options.subjects {
      let benchmark = try subject.benchmark(options)
      defer { benchmark.end() }
      let results = try benchmark.measured(subject, options.rounds ?? type(of: benchmark).rounds)
      if options.isJSON { table.add(results) } else { print(results.text) }
    }
    if options.isJSON { print(try table.json) }
  }
}
