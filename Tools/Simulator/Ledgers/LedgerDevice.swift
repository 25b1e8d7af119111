// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryScenarios
import FerryStore
import Foundation
import LoopbackParse
import Randomness

/// A device of a world with a ledger, with its app.
class LedgerDevice: SequentialTransport, @unchecked Sendable {
  let number: Int
  /// How many milliseconds the clock is ahead.
  var ahead: Int64 = 0
  /// After how many requests, answers and commits the process ends; nil for never.
  var endsIn: Int?
  let folder: DeviceFolder
  private(set) var store: SQLiteStore
  private(set) var coordinator: SyncCoordinator?
  private unowned let home: LedgerWorld
  private let server: LedgerServer
  private let key: ParseServer.Key?
  private let policies: ConflictPolicies
  private var observed: ObservedStore?
  private(set) var isKilled = false
  private var backup: SQLiteStore?
  /// The copy of the backup to which the device went back; its file is the device's from then on.
  private var copy: SQLiteStore?

  var letter: String { Writer.letter(of: number) }

  init(
    _ number: Int, of world: LedgerWorld, with server: LedgerServer, key: ParseServer.Key? = nil,
    conflicts: ConflictPolicy = .remoteWins
  ) throws {
    (self.number, self.home, self.server, self.key) = (number, world, server, key)
    policies = ConflictPolicies(conflicts)
      .deletions(in: world.entity.name, world.editWins ? .editWins : .deleteWins)
    folder = try DeviceFolder(world.folder.appending(path: "\(number)"))
    store = try Self.store(at: folder.database, of: world)
    try open()
  }

  private static func store(at database: URL, of world: LedgerWorld) throws -> SQLiteStore {
    let clock = world.clock
    return try SQLiteStore(
      at: database, schema: world.schema, generator: clock.generator,
      now: { Timestamp(milliseconds: clock.milliseconds) })
  }

  /// The app starts anew.
  func open() throws {
    store = try Self.store(at: copy?.database ?? folder.database, of: home)
    let observed = ObservedStore(store, bug: nil) { [unowned self] _ in passMoment() }
    self.observed = observed
    coordinator = SyncCoordinator(
      store: observed, server: ParseServer(url: server.url, applicationID: "app1", key: key),
      staging: folder.staging, files: StagingFiles(), conflicts: policies,
      options: options, transport: self,
      environment: home.clock.environment { [unowned self] in ahead })
  }

  func backUp() throws {
    backup = try store.clone() as? SQLiteStore
    home.note("\(letter): backs up")
  }

  /// Goes back to the last backup.
  ///
  /// The staging folder stays.
  func goBack() throws {
    copy = try backup?.clone() as? SQLiteStore
    home.note("\(letter): goes back to the backup")
    try open()
  }

  /// Frees the coordinator and the store, which hold the device in turn.
  func end() {
    coordinator = nil
    observed = nil
  }

  var options: SyncOptions {
    var options = SyncOptions()
    options.batchSize = number == 0 ? 1 : 50
    options.attemptLimit = 1000
    return options
  }

  /// Syncs; a process that ended meanwhile begins anew.
  ///
  /// - Returns: How it failed; nil if it did not.
  func sync() throws -> String? {
    guard let coordinator else { return "no coordinator" }
    let run = coordinator.syncInLine()
    endsIn = nil
    if isKilled {
      isKilled = false
      try folder.restoreStaging()
      try open()
      return "killed"
    }
    for entry in try entries() {
      home.note(
        "    unsent \(entry.kind) of \(entry.objectID), \(entry.state), \(entry.changed.sorted()) over "
          + home.told(entry.base))
    }
    guard case .failure(let error)? = run.result else { return nil }
    return "failed: \(error)"
  }

  /// A moment at which the process may end.
  private func passMoment() {
    guard let left = endsIn, !isKilled else { return }
    endsIn = left - 1
    guard left <= 0 else { return }
    home.note("\(letter): killed")
    isKilled = true
    observed?.kill()
    try? folder.keepStaging()
  }

  // MARK: The network

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    passMoment()
    guard !isKilled else { return .failure(.cancelled(.unknown)) }
    let result = send(request)
    passMoment()
    return isKilled ? .failure(.cancelled(.unknown)) : result
  }

  private func send(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
    let clock = home.clock
    clock.pass(milliseconds: Int64(request.delay / .milliseconds(1)) + 2)
    let sent = LoopbackRequest(request, receivedAt: clock.date)
    var arriving = sent
    arriving.receivedAt = nil
    let text = String(decoding: sent.body, as: UTF8.self)
    let isWrite = request.isWrite && !text.contains("\"_method\"")
    asks(writing: isWrite)
    guard isWrite, !home.isCalm else {
      if isWrite {
        server.leaves(sent, from: number)
        home.note("\(letter): sends \(text)")
      }
      return .success(HTTPResponse(server.answer(arriving, from: number)))
    }
    if home.chance.one(in: 6) { try? actWithinSync() }
    let fate = WriteFate.drawn(by: &home.chance)
    home.note("\(letter): \(request.method.rawValue) \(fate) \(text)")
    if fate != .isRefused { server.leaves(sent, from: number) }
    switch fate {
    case .isLost: return .failure(NetworkFault.connectionLost)
    case .isLate:
      clock.pass(milliseconds: 60_000)
      server.delay(sent, from: number)
      return .failure(NetworkFault.timedOut)
    case .isRefused:
      return .success(NetworkFault.answer(429, #"{"error":"Too many requests."}"#))
    case .fails: return .success(NetworkFault.answer(500))
    case .losesItsAnswer, .isDoneButFails, .arrives: break
    }
    let answer = HTTPResponse(server.answer(arriving, from: number))
    if home.chance.one(in: 8) { try? actWithinSync() }
    switch fate {
    case .losesItsAnswer: return .failure(NetworkFault.connectionLost)
    case .isDoneButFails: return .success(NetworkFault.answer(502))
    default: return .success(answer)
    }
  }

  // MARK: The app

  /// The app edits while a request is under way.
  func actWithinSync() throws {}

  /// A request leaves.
  func asks(writing isWrite: Bool) {}

  /// The app has written.
  func note(from before: Record?, to after: Record) {}

  /// The app has removed a row.
  func noteRemoval(of row: Record) {}

  func rows() throws -> [Record] {
    try store.read { [name = home.entity.name] in try $0.records(Query(name)) }
  }

  func pickRow(by chance: inout Chance) throws -> Record? {
    let rows = try rows()
    return rows.isEmpty ? nil : chance.pick(rows)
  }

  /// Writes, and notes what the app has thereby changed.
  ///
  /// - Parameters:
  ///   - name: The edit, for the chronicle.
  ///   - former: A row that was there before, and is not now.
  ///   - body: The edit.
  /// - Throws: `StoreError` where the edit is refused.
  func write(
    _ name: String, besides former: Record? = nil,
    _ body: (any StoreTransaction) throws -> Void
  ) throws {
    let before = Dictionary(
      (try rows() + [former].compactMap(\.self)).map { ($0["title"].nameForPeople, $0) },
      uniquingKeysWith: { first, _ in first })
    try store.write(body)
    let after = try rows()
    for row in after { note(from: before[row["title"].nameForPeople], to: row) }
    let left = Set(after.map { $0["title"].nameForPeople })
    for (title, row) in before where !left.contains(title) { noteRemoval(of: row) }
    home.note("\(letter): \(name)")
  }

  /// The app takes its last transaction back.
  func undo(_ name: String, besides former: Record? = nil) throws {
    try write(name, besides: former) { db in
      guard let last = try db.undoableTransaction() else { return }
      _ = try db.undo(last)
    }
  }

  /// The app discards an unsent edit.
  func discard() throws {
    let unsent = try entries().filter { $0.kind == .update && $0.isUnsent }
    guard !unsent.isEmpty else { return }
    let entry = home.chance.pick(unsent)
    do {
      try write("discard \(entry.objectID)") {
        _ = try $0.discardChange(of: entry.className, localID: entry.localID)
      }
    } catch let error as StoreError where [.beingSent, .cannotDiscard].contains(error.code) {
      home.note("\(letter): a discard is refused")
    }
  }

  func entries() throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try store.syncRead { reader throws(StoreError) in
      try reader.forEachPendingEntry(of: nil) { entries.append($0) }
    }
    return entries
  }

  // MARK: The end

  func conflictRecords() throws -> [ConflictRecord] {
    try store.read { try $0.conflicts(of: nil, limit: nil) }
  }

  /// The device has what the server has, and nothing waits.
  func check(_ records: [LedgerServer.LedgerRecord]) throws -> Violation? {
    if let entry = try entries().first(where: \.isUnsent) {
      return Violation(
        .stuck, "\(letter) still has \(entry.kind) of \(entry.objectID): \(entry.state)")
    }
    let rows = try rows()
    for record in records {
      guard let row = rows.first(where: { $0.objectID == record.id }) else {
        return Violation(.divergence, "\(letter) lacks \(record.title ?? record.id)")
      }
      for field in home.entity.fields {
        let (here, there) = (row[field.name], record.fields[field.name] ?? .null)
        guard here == there || here.counted != nil && here.counted == there.counted else {
          return Violation(
            .divergence,
            "\(letter): \(record.title ?? "?").\(field.name) is \(here), and \(there) on the server"
          )
        }
      }
    }
    guard rows.count == records.count else {
      return Violation(
        .divergence, "\(letter) has \(rows.count) rows, and the server \(records.count)")
    }
    return nil
  }
}
