// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryLive
import Foundation

/// `ferry watch`: syncs by itself until Ctrl-C, and says what each sync did.
struct WatchCommand {
  var session: Session

  private var console: Console { session.console }

  func run() async throws(Failure) -> ExitCode {
    session.interruption.watch()
    let schedule = try SyncSchedule(flags: session.command)
    let configuration = try session.configuration()
    let fields = try Self.prefetchedFields(session.command, configuration)
    let coordinator = try session.coordinator(configuration, in: session.workspace)
    let (runs, began) = AsyncStream.makeStream(of: SyncRun.self)
    let syncing = Task {
      await coordinator.run(schedule) { began.yield($0) }
      began.finish()
    }
    let prefetching = Task { await prefetch(fields, with: coordinator) }
    defer { prefetching.cancel() }
    let live = try liveQueries(of: coordinator)
    let listening = Task { await live?.run() }
    defer { listening.cancel() }
    let telling = Task { await tellOf(live) }
    defer { telling.cancel() }
    session.interruption.onInterruption { syncing.cancel() }
    console.note("A sync follows each edit, and each \(schedule.interval.words). Ctrl-C ends it.")
    var ending: Failure?
    var hasFailed = false
    for await run in runs {
      // A command that never ends must not outlive its reader.
      defer { if console.hasLostReader { syncing.cancel() } }
      let error = await follow(run, afterFailure: hasFailed)
      hasFailed = error != nil
      guard let error, error.code != .cancelled else { continue }
      if error.code.needsPerson {
        ending = Failure(error)
        syncing.cancel()
      } else {
        console.message(JSONMessage(failureOfSync: error))
        let line = "\(Failure(error).message) ferry tries again by itself."
        if error.code == .busy { console.note(line) } else { console.warning(line) }
      }
    }
    await syncing.value
    if let ending { throw ending }
    return .success
  }

  /// The live queries that `--live` asks for.
  private func liveQueries(of coordinator: SyncCoordinator) throws(Failure) -> LiveQueries? {
    let command = session.command
    guard let text = command.value(.liveAddress) else {
      return command.has(.live) ? LiveQueries(of: coordinator) : nil
    }
    guard command.has(.live) else {
      throw Failure(usage: "--live-address needs --live. Nothing was done.")
    }
    guard let url = URL(string: text), ["ws", "wss"].contains(url.scheme), url.host() != nil else {
      throw Failure(
        usage:
          "\(text.quoted) is no address with ws or wss and a host. Nothing was done. Give one such as "
          + "wss://live.example.com/.")
    }
    return LiveQueries(of: coordinator, address: url)
  }

  /// Says how live queries stand whenever that changes, but not of each attempt in a row that fails.
  private func tellOf(_ live: LiveQueries?) async {
    guard let live else { return }
    var lastReason: String?
    for await state in live.states {
      switch state {
      case .listening(let classes, let refused):
        lastReason = nil
        console.note("The server announces changes of \(classes.sorted().joined(separator: ", ")).")
        for (name, reason) in refused.sorted(by: { $0.key < $1.key }) {
          console.warning(
            "The server does not announce changes of \(name): \(reason) Syncs at intervals bring them."
          )
        }
      case .waiting(_, let reason) where reason != lastReason:
        lastReason = reason
        console.note(
          "No live queries. \(reason) ferry tries again by itself; syncs come at intervals.")
      case .waiting, .connecting, .ended: break
      }
    }
  }

  /// The file fields that `--prefetch` names, by class.
  private static func prefetchedFields(
    _ command: ParsedCommand, _ configuration: SyncConfiguration
  ) throws(Failure) -> [String: Set<String>] {
    var fields: [String: Set<String>] = [:]
    for text in command.values(.prefetch) {
      let words = text.split(separator: ".", maxSplits: 1).map(String.init)
      let entity = configuration.schema.entity(words.first ?? "")
      guard words.count == 2, let entity, entity.field(words[1])?.type == .file else {
        throw Failure(
          usage:
            "\(text.quoted) is no file field. Nothing was done. Give a class and a file field of ferry.json with a dot "
            + "between, such as --prefetch Photo.image.")
      }
      fields[entity.name, default: []].insert(words[1])
    }
    return fields
  }

  /// Fetches files until the task is cancelled, and says of each one that did not come why.
  private func prefetch(
    _ fields: [String: Set<String>], with coordinator: SyncCoordinator
  ) async {
    guard !fields.isEmpty else { return }
    do {
      try await coordinator.prefetchFiles(of: fields) { [console] file, error in
        console.warning(
          "\(file.className) \(file.localID.rawValue), \(file.field): \(error.message)")
      }
    } catch is CancellationError {
    } catch {
      console.warning("Files are fetched no longer, and syncs go on. Start ferry again. \(error)")
    }
  }

  /// Shows a sync while it goes on, and its report if it did something, or is the first after a failure.
  ///
  /// - Returns: The error that ended it; nil if there was none.
  private func follow(_ run: SyncRun, afterFailure: Bool) async -> SyncError? {
    let start = ProcessInfo.processInfo.systemUptime
    await RunDisplay(console: console, stages: StageName.allCases).follow(run)
    do {
      let report = try await run.report
      console.message(JSONMessage(summary: report))
      let seconds = ProcessInfo.processInfo.systemUptime - start
      if report.hasChanged || afterFailure {
        let lines = ReportText(report: report, seconds: seconds).lines(width: console.facts.width)
        console.result(lines.joined(separator: "\n"))
      }
      return nil
    } catch {
      return error
    }
  }
}

extension SyncReport {
  /// Whether the run moved a record, or set one aside.
  fileprivate var hasChanged: Bool {
    classes.values.contains { counts in
      let moved = [
        counts.imported, counts.updated, counts.removed, counts.evicted, counts.uploaded,
        counts.created,
        counts.put, counts.deleted, counts.merged, counts.parked, counts.quarantined,
      ]
      return moved.contains { $0 > 0 }
    }
  }
}

extension SyncSchedule {
  /// The schedule that the flags of `watch` choose.
  init(flags: ParsedCommand) throws(Failure) {
    self.init()
    if let seconds = try flags.seconds(.interval, suchAs: 60) { interval = seconds }
  }
}

extension Duration {
  /// The duration in words, such as "300 seconds".
  fileprivate var words: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded()
      ? Int(seconds).counted("second", "seconds") : "\(seconds) seconds"
  }
}
