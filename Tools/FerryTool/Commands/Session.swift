// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// The means of a command: its flags, its folder and its console.
struct Session {
  var command: ParsedCommand
  var console: Console
  var interruption: Interruption
  var workspace: Workspace

  func configuration() throws(Failure) -> SyncConfiguration {
    try ConfigurationFile(workspace: workspace).read()
  }

  /// The transport that the flags allow.
  var transport: CurlTransport {
    var options = CurlOptions()
    options.allowsCleartext = command.has(.allowCleartext)
    return CurlTransport(options: options)
  }

  /// Does work that blocks, and says meanwhile when the server is silent.
  func sayingSilence<Result>(
    of transport: WatchedTransport, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (hasEnded, console) = (CancellationSignal(), console)
    // Tasks may all be on the thread that the work blocks.
    Thread.detachNewThread {
      while !hasEnded.isCancelled {
        if let seconds = transport.silenceToSay() { console.note(ReportText.silence(seconds)) }
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
    defer { hasEnded.cancel() }
    return try work()
  }

  /// Looks into the store, if there is one: this makes none, and leaves it as it is.
  ///
  /// - Parameters:
  ///   - configuration: The schema of the store.
  ///   - checksFile: Whether to look at the whole of the file first, which takes the time of reading it.
  ///   - body: Receives the store.
  /// - Returns: The result of the closure; nil if there is no store.
  /// - Throws: The failure of the command: the store is damaged or cannot be read.
  @discardableResult
  func inspect<Result>(
    _ configuration: SyncConfiguration, checksFile: Bool = false,
    _ body: (StoreInspection) throws(StoreError) -> Result
  ) throws(Failure) -> Result? {
    guard hasStore else { return nil }
    do {
      let store = try SQLiteStore(reading: workspace.store, schema: configuration.schema)
      if checksFile { try store.checkFile() }
      return try store.inspect(body)
    } catch {
      throw Failure(error)
    }
  }

  /// Whether the command's folder has a store.
  var hasStore: Bool { workspace.hasStore }

  /// The report of a run at its end.
  func report(of run: SyncRun) async throws(Failure) -> SyncReport {
    do {
      return try await run.report
    } catch {
      throw Failure(error)
    }
  }

  /// The downloads that wait for their import.
  func stagedDownloads() throws(Failure) -> [StagedDownload] {
    do {
      return try StagedDownload.all(in: workspace.staging)
    } catch {
      throw Failure(error)
    }
  }

  /// The store to work with; only a sync changes one that is there.
  private func openStore(
    _ configuration: SyncConfiguration, in place: Workspace
  ) throws(Failure) -> SQLiteStore {
    let writes =
      [.sync, .watch].contains(command.name) || command.name == .importing && !command.onlyReads
    guard !place.hasStore || writes else {
      do {
        return try SQLiteStore(reading: place.store, schema: configuration.schema)
      } catch {
        throw Failure(error)
      }
    }
    return try writableStore(configuration, in: place)
  }

  /// The store to write to; it is made where there is none.
  func writableStore(
    _ configuration: SyncConfiguration, in place: Workspace
  ) throws(Failure) -> SQLiteStore {
    let isNew = !place.hasStore
    do {
      return try SQLiteStore(at: place.store, schema: configuration.schema)
    } catch {
      guard isNew, error.code == .notAccessible else { throw Failure(error) }
      throw Failure(.cannotCreate, error.code.rawValue, error.message)
    }
  }

  /// Only the classes named by `--class`; all of them without it.
  func classNames(
    _ configuration: SyncConfiguration, or others: Set<String> = []
  ) throws(Failure) -> [String] {
    let known = configuration.schema.entities.map(\.name)
    let asked = command.classNames
    for name in asked where !known.contains(name) && !others.contains(name) {
      throw Failure(usage: "class", name, notAmong: known, see: "ferry.json")
    }
    return asked.isEmpty ? known : known.filter(asked.contains)
  }

  /// A coordinator as the flags want it, over the store and the staged pages of a place.
  ///
  /// - Parameters:
  ///   - configuration: The server and the schema.
  ///   - place: The place.
  ///   - classNames: The classes that the run asks about; nil for all.
  ///   - announces: Whether to say what begins; a command says it once, and only if it asks the server.
  /// - Returns: The coordinator.
  /// - Throws: The failure of the command: a flag cannot be used, or the store cannot be opened.
  func coordinator(
    _ configuration: SyncConfiguration, in place: Workspace, classes classNames: [String]? = nil,
    announces: Bool = true
  ) throws(Failure) -> SyncCoordinator {
    let options = try SyncOptions(flags: command)
    let server = try server(configuration, adopting: Set(adoptedBy: command))
    let classes = classNames ?? configuration.schema.entities.map(\.name)
    let verb =
      switch command.name {
      case .plan, .explain: "Planning"
      case .verify: "Comparing"
      default: "Syncing"
      }
    if workspace.isStoreEmpty {
      console.warning(
        "\(workspace.store.filePath) has 0 bytes and counts as a new store. If it held unsent edits, stop here and "
          + "put a backup in its place.")
    }
    let subject = classes.joined(separator: ", ")
    if announces {
      console.note(
        command.name == .files
          ? "Fetching a file of \(subject) from \(configuration.server.absoluteString)"
          : "\(verb) \(subject) with \(configuration.server.absoluteString)")
    }
    return SyncCoordinator(
      store: try openStore(configuration, in: place), server: server,
      staging: place.staging, options: options, transport: transport)
  }
}
