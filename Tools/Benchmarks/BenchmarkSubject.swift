// Ferry: offline-first sync for Parse Server. MIT licence.

/// The subjects, as the command line and the table name them.
enum BenchmarkSubject: String, CaseIterable {
  case pull
  case pullSlow = "pull-slow"
  case `import`, reread
  case rereadDownload = "reread-download"
  case update, mixed, push
  case pushEdits = "push-edits"
  case captureInsert = "capture-insert"
  case captureUpdate = "capture-update"
  case captureUpdateAll = "capture-update-all"
  case captureDelete = "capture-delete"
  case captureSingle = "capture-single"
  case idle
  case idleRows = "idle-rows"
  case changes, missing
  case missingMany = "missing-many"
  case missingLogged = "missing-logged"
  case arrival, observe
  case liveArrival = "live-arrival"
  case liveArrivalReal = "live-arrival-real"
  case observeLoad = "observe-load"
  case observeProcess = "observe-process"
  case status, plan, start
  case fileUpload = "file-upload"
  case fileDownload = "file-download"
  case pushReal = "push-real"
  case pullBetterSQLite = "pull-better-sqlite3"
  case pullWatermelonDB = "pull-watermelondb"
  case pullRxDB = "pull-rxdb"

  /// The measured work, in one line.
  var description: String {
    switch self {
    case .pull: "a first sync of one class"
    case .pullSlow: "a first sync of four classes, from a server that takes 15 ms a page"
    case .import: "staged pages of new records, into an empty store"
    case .reread: "a sync right after a bulk load of 80 seconds and its first sync"
    case .rereadDownload: "the same, beside a download of the records"
    case .update: "staged pages that change every row"
    case .mixed: "a pull that changes every row; the app edited 5 %, and 1 % cannot be read"
    case .pushEdits: "edits of rows that the server has"
    case .push: "rows of the app that the server does not have"
    case .captureInsert: "an app inserts rows, 1,000 a transaction"
    case .captureUpdate: "an app changes one column of each row, 1,000 a transaction"
    case .captureUpdateAll: "an app changes all columns of each row, 1,000 a transaction"
    case .captureDelete: "an app deletes rows, 1,000 a transaction"
    case .captureSingle: "an app changes one column of each row, one a transaction"
    case .changes: "a sync that finds 100 records changed"
    case .arrival: "a new row, its sync, and the sync of another store"
    case .liveArrival:
      "a row of an app that runs by itself, until another app that hears live queries has it"
    case .liveArrivalReal: "the same with a real Parse Server (--real-server)"
    case .observe:
      "a commit, and the list of 1,000 observed rows that shows it; other lists and a badge"
    case .observeLoad: "100 commits a second for ten seconds, with a list of 1,000 observed rows"
    case .observeProcess:
      "a commit of another process, and the list of 1,000 observed rows that shows it"
    case .idle: "a sync of 100 classes without a change"
    case .idleRows: "a sync of 20 classes with many rows, without a change"
    case .missing: "a sync that finds 100 records gone from the server"
    case .missingMany: "a sync that finds 1,000 records gone from the server, by comparing counts"
    case .missingLogged: "the same, by the log of Ferry's Cloud Code"
    case .status: "ferry status"
    case .plan: "ferry plan of a store that is in step"
    case .start: "ferry --help"
    case .fileUpload: "ferry sync that sends a file of 2 GiB (--bytes), beside a quarter of it"
    case .fileDownload: "ferry files get of such a file, beside a quarter of it"
    case .pushReal: "rows of the app that a real Parse Server does not have (--real-server)"
    case .pullBetterSQLite: "a first sync, beside a script with better-sqlite3 (--peers)"
    case .pullWatermelonDB: "a first sync, beside WatermelonDB (--peers)"
    case .pullRxDB: "a first sync, beside RxDB (--peers)"
    }
  }

  /// The option that the subject needs and that the command line lacks; nil for none.
  func missingOption(_ options: BenchmarkOptions) -> String? {
    switch self {
    case .pushReal, .liveArrivalReal: options.realServer == nil ? "--real-server URL" : nil
    case .pullBetterSQLite, .pullWatermelonDB, .pullRxDB:
      options.peers == nil ? "--peers FOLDER" : nil
    default: nil
    }
  }

  /// Prepares what the rounds begin from.
  func benchmark(_ options: BenchmarkOptions) throws -> any Benchmark {
    let many = options.records ?? 200_000
    let (peers, realServer) = (options.peers ?? "", options.realServer ?? "")
    return switch self {
    case .pull: try PullBenchmark(records: many)
    case .pullSlow: try PullBenchmark(records: many, classes: 4, delay: .milliseconds(15))
    case .import, .update: try ImportBenchmark(self, records: many)
    case .reread: try RereadBenchmark(records: many, beside: .limitImport)
    case .rereadDownload: try RereadBenchmark(records: many, beside: .download)
    case .mixed: try MixedBenchmark(records: many)
    case .pushEdits: try PushEditsBenchmark(records: many)
    case .push: try PushBenchmark(records: options.records ?? 20_000)
    case .captureInsert: try CaptureBenchmark(.insert, rows: many)
    case .captureUpdate: try CaptureBenchmark(.update, rows: many)
    case .captureUpdateAll: try CaptureBenchmark(.updateAll, rows: many)
    case .captureDelete: try CaptureBenchmark(.delete, rows: many)
    case .captureSingle:
      try CaptureBenchmark(.update, rows: options.records ?? 20_000, rowsPerTransaction: 1)
    case .changes: try ChangesBenchmark(records: 5 * many)
    case .arrival: try ArrivalBenchmark()
    case .liveArrival: try LiveArrivalBenchmark(on: nil)
    case .liveArrivalReal: try LiveArrivalBenchmark(on: RealServer(url: realServer))
    case .observe: try ObserveBenchmark(.observe, records: many)
    case .observeLoad: try ObserveBenchmark(.observeLoad, records: many)
    case .observeProcess: try ObserveBenchmark(.observeProcess, records: many)
    case .idle: try IdleBenchmark(classes: 100, records: 10_000)
    case .idleRows: try IdleBenchmark(classes: 20, records: many)
    case .missing: try MissingBenchmark(records: many)
    case .missingMany: try MissingBenchmark(records: 5 * many, missing: 1_000)
    case .missingLogged: try MissingBenchmark(records: 5 * many, missing: 1_000, readsLog: true)
    case .status: try ToolBenchmark(.status, records: many)
    // The cost of a plan hardly depends on the store's size, which shows in a large store.
    case .plan: try ToolBenchmark(.plan, records: 5 * many)
    case .start: try ToolBenchmark(.help, records: many)
    case .fileUpload: try FileBenchmark(.upload, bytes: options.bytes)
    case .fileDownload: try FileBenchmark(.download, bytes: options.bytes)
    case .pushReal: try RealPushBenchmark(server: realServer, records: options.records ?? 10_000)
    case .pullBetterSQLite: try PeerBenchmark(.betterSQLite, scripts: peers, records: many)
    case .pullWatermelonDB: try PeerBenchmark(.watermelonDB, scripts: peers, records: many)
    case .pullRxDB: try PeerBenchmark(.rxDB, scripts: peers, records: many)
    }
  }
}
