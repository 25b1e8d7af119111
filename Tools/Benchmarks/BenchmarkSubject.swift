// Ferry: offline-first sync for Parse Server. MIT licence.

/// The subjects, as the command line and the table name them.
enum BenchmarkSubject: String, CaseIterable {
  case pull, `import`, reread, update, push

  /// What is measured, in one line.
  var description: String {
    switch self {
    case .pull: "a first sync from a server on loopback, and a sync that finds nothing new"
    case .import: "staged pages of new records, into an empty store"
    case .reread: "staged pages of records that the store has as they are"
    case .update: "staged pages that change every row"
    case .push: "rows of the app that the server does not have"
    }
  }

  /// Prepares what the rounds begin from.
  func benchmark(_ options: BenchmarkOptions) throws -> any Benchmark {
    switch self {
    case .pull: try PullBenchmark(records: options.records ?? 200_000)
    case .import, .reread, .update:
      try ImportBenchmark(self, records: options.records ?? 200_000)
    case .push: try PushBenchmark(records: options.records ?? 20_000)
    }
  }
}
