// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Work of Ferry that a process of its own does, so that its cost can be told.
struct BenchmarkStep {
  enum Name: String {
    case create, stage, `import`, reread, update, mixed, pull, fill, edit, push
    case pushEdits = "push-edits"
    case idle, missing, changes, arrival, observe
    case observeLoad = "observe-load"
    case commitLoad = "commit-load"
    case observeProcess = "observe-process"
    case commitTimes = "commit-times"
    case liveArrival = "live-arrival"
  }

  /// The word of the command line before a step.
  static let word = "step"

  let name: Name
  let place: BenchmarkPlace
  let records: Int

  init(_ name: Name, at place: BenchmarkPlace, _ records: Int) {
    self.name = name
    self.place = place
    self.records = records
  }

  /// Reads what `arguments` wrote.
  init(_ arguments: some Collection<String>) throws {
    let words = Array(arguments)
    guard words.count == 6, let name = Name(rawValue: words[0]), let records = Int(words[3]),
      let classes = Int(words[4]), let readsLog = Bool(words[5])
    else {
      throw BenchmarkOptions.UsageError(
        text:
          "a step needs a name, a folder, a server, the numbers of records and classes, and whether it reads a log"
      )
    }
    let place = BenchmarkPlace(
      folder: URL(filePath: words[1]), server: words[2], classes: classes, readsLog: readsLog)
    self.init(name, at: place, records)
  }

  var arguments: [String] {
    [
      Self.word, name.rawValue, place.folder.path(percentEncoded: false), place.server,
      "\(records)", "\(place.classes)", "\(place.readsLog)",
    ]
  }

  /// Carries the step out in a new process.
  @discardableResult
  func measured() throws -> Measurement {
    try MeasuredProcess.run(MeasuredProcess.thisProgram, arguments)
  }

  /// Carries the step out here, and refuses to be measured where it did not do all of it.
  func run() async throws {
    let coordinator = try place.coordinator()
    let done: Int?
    switch name {
    case .create: return
    case .idle: return try await idle(coordinator)
    case .missing: done = try await note(coordinator, .all)?.removed
    case .stage:
      _ = try await coordinator.startSync(.through(.download)).report
      return
    case .fill: return try fill()
    case .edit: return try edit()
    case .arrival: return try await arrive()
    case .liveArrival: return try await arriveLive()
    case .observe: return try await observe()
    case .observeLoad: return try await commitLoad(observed: true)
    case .commitLoad: return try await commitLoad(observed: false)
    case .observeProcess: return try await observeProcess()
    case .commitTimes: return try await commitTimes()
    case .import: done = try await note(coordinator, .only(.importing))?.imported
    case .reread:
      let report = try await coordinator.startSync().report
      let counts = report.classes["Note"]
      let changed = counts.map { $0.imported + $0.updated + $0.removed }
      done = report.outcome == .complete && changed ?? 0 == 0 ? records : changed
    case .update: done = try await note(coordinator, .only(.importing))?.updated
    case .changes: done = try await note(coordinator, .all)?.updated
    case .pushEdits: done = try await note(coordinator, .all)?.put
    case .mixed:
      done = try await note(coordinator, .through(.importing))
        .map { $0.updated + $0.merged + $0.quarantined }
    case .pull:
      done = try await coordinator.startSync().report.classes.values.reduce(0) { $0 + $1.imported }
    case .push:
      let report = try await coordinator.startSync().report
      var parts = BenchmarkParts()
      parts.add(report, "stage")
      try parts.write(to: place.parts)
      done = report.classes["Note"]?.created
    }
    guard done == records else { throw Incomplete(done: done) }
  }

  /// Syncs as many times as there are records, each without a change on either side.
  private func idle(_ coordinator: SyncCoordinator) async throws {
    for _ in 0..<records {
      let report = try await coordinator.startSync().report
      guard report.outcome == .complete else { throw Incomplete(done: nil) }
    }
  }

  private func note(
    _ coordinator: SyncCoordinator, _ stages: StageSelection
  ) async throws -> SyncReport.Counts? {
    try await coordinator.startSync(stages).report.classes["Note"]
  }

  /// Inserts rows as an app does, 1,000 a transaction.
  private func fill() throws {
    let store = try place.store()
    let notes = NoteGenerator().rows(records)
    for start in stride(from: 0, to: records, by: 1000) {
      try store.write { transaction in
        for note in notes[start..<min(start + 1000, records)] {
          _ = try transaction.insert("Note", note)
        }
      }
    }
  }

  /// Edits rows as an app does, spread over all of them, 1,000 a transaction.
  private func edit() throws {
    let store = try place.store()
    let rows = try store.read { try $0.records(of: "Note") }
    let spread = stride(from: 0, to: rows.count, by: max(rows.count / records, 1))
    let edited = Array(spread.prefix(records))
    for start in stride(from: 0, to: edited.count, by: 1000) {
      try store.write { transaction in
        for number in edited[start..<min(start + 1000, edited.count)] {
          try transaction.update(
            "Note", rows[number].localID, ["body": .string("edited \(number)")])
        }
      }
    }
  }

  /// Inserts a row, syncs, and syncs another store, which has the row then; once for each record.
  private func arrive() async throws {
    let other = BenchmarkPlace(folder: place.folder.appending(path: "other"), server: place.server)
    let (here, there) = (try place.coordinator(), try other.coordinator())
    let store = try place.store()
    var parts = BenchmarkParts()
    for note in NoteGenerator().rows(records) {
      try parts.time("insert") { try store.write { _ = try $0.insert("Note", note) } }
      parts.add(try await here.startSync().report, "first store")
      let report = try await there.startSync().report
      parts.add(report, "other store")
      let arrived = report.classes["Note"]?.imported
      guard arrived == 1 else { throw Incomplete(done: arrived) }
    }
    try parts.write(to: place.parts)
  }

  struct Incomplete: Error, CustomStringConvertible {
    var done: Int?
    var description: String { "a step did \(done.map { "\($0)" } ?? "none") of its records." }
  }
}
