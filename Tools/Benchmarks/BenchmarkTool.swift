// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry-bench`: measures a first sync, and a sync without changes.
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
      let results = try await PullBenchmark(options).run()
      print(options.isJSON ? try results.json : results.table)
    } catch {
      FileHandle.standardError.write(Data("ferry-bench: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// The options of the command line.
struct BenchmarkOptions {
  var records = 200_000
  var rounds = 3
  var isJSON = false
  var wantsHelp = false

  static let help = """
    ferry-bench [--records N] [--rounds N] [--json]

    Brings N records of about 520 bytes (default 200000) from a server on loopback into a new SQLite
    store, in each of the rounds (default 3), and prints the median of each figure with its range. The
    server runs in the same process, so the figures hold what it takes too.
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "--records": records = try Self.number(arguments.popFirst(), for: argument)
      case "--rounds": rounds = try Self.number(arguments.popFirst(), for: argument)
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      default: throw UsageError(text: "unknown option \(argument); see ferry-bench --help")
      }
    }
  }

  private static func number(_ text: String?, for option: String) throws -> Int {
    guard let number = text.flatMap({ Int($0) }), number > 0 else {
      throw UsageError(text: "\(option) needs a number above 0")
    }
    return number
  }

  private struct UsageError: Error, CustomStringConvertible {
    var text: String
    var description: String { text }
  }
}
