// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry-bench`: measures a first sync, a sync without changes, and imports beside a limit program.
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
      try await run(options)
    } catch {
      FileHandle.standardError.write(Data("ferry-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ options: BenchmarkOptions) async throws {
    switch options.task {
    case .pull:
      let results = try await PullBenchmark(options).run()
      print(options.isJSON ? try results.json : results.table)
    case .measure(let subject):
      let results = try ImportBenchmark(options, subject).run()
      print(options.isJSON ? try results.json : results.table)
    case .staging(let place): try await place.stage()
    case .importing(let place, let subject):
      try await place.importStagedPages(subject, options.records)
    }
  }
}

/// The options of the command line.
struct BenchmarkOptions {
  enum Task {
    case pull
    case measure(ImportSubject)
    /// One download, or one import, as a process of its own.
    case staging(ImportPlace)
    case importing(ImportPlace, ImportSubject)
  }

  var task = Task.pull
  var records = 200_000
  private var givenRounds: Int?
  var isJSON = false
  var wantsHelp = false

  static let help = """
    ferry-bench [pull | import | reread | update] [--records N] [--rounds N] [--json]

    pull, which is the default: brings N records of about 520 bytes (default 200000) from a server on
    loopback into a new SQLite store, in each of the rounds (default 3), and prints the median of each
    figure with its range. The server runs in the same process, so the figures hold what it takes too.

    The others measure the import of pages that a download has staged, and a limit program that does
    nothing but simdjson and an upsert (ferry-limit, beside this program). Both are processes of their own
    and take turns, in each of the rounds (default 5).

    import   pages of new records, into an empty store
    reread   pages of records that the store has as they are, compared with the limit's import
    update   pages that change every row
    """

  var rounds: Int {
    if let givenRounds { return givenRounds }
    if case .pull = task { return 3 }
    return 5
  }

  init(_ arguments: some Sequence<String>) throws {
    var arguments = Array(arguments)[...]
    while let argument = arguments.popFirst() {
      switch argument {
      case "pull": task = .pull
      case "stage-once", "import-once":
        guard let folder = arguments.popFirst(), let server = arguments.popFirst() else {
          throw UsageError(text: "\(argument) needs a folder and a server")
        }
        let place = ImportPlace(folder: URL(filePath: folder), server: server)
        let subject = arguments.popFirst().flatMap(ImportSubject.init)
        task = subject.map { .importing(place, $0) } ?? .staging(place)
      case "--records": records = try Self.number(arguments.popFirst(), for: argument)
      case "--rounds": givenRounds = try Self.number(arguments.popFirst(), for: argument)
      case "--json": isJSON = true
      case "--help", "-h": wantsHelp = true
      default:
        guard let subject = ImportSubject(rawValue: argument) else {
          throw UsageError(text: "unknown option \(argument); see ferry-bench --help")
        }
        task = .measure(subject)
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
