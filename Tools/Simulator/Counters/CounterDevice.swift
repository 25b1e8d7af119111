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

/// A device of a world of numbers, with its app.
final class CounterDevice: SequentialTransport, @unchecked Sendable {
  let number: Int
  /// How many milliseconds the clock is ahead.
  var ahead: Int64 = 0
  /// The row that the app deleted with its last transaction, as it was.
  private(set) var deleted: Record?
  private unowned let world: CounterWorld
  private let folder: URL
  private let editWins: Bool
  private var store: SQLiteStore
  private var coordinator: SyncCoordinator?

  var letter: String { Writer.letter(of: number) }

  init(_ number: Int, of world: CounterWorld, in folder: URL, editWins: Bool) throws {
    (self.number, self.world, self.editWins) = (number, world, editWins)
    self.folder = folder.appending(path: "\(number)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: self.folder, withIntermediateDirectories: true)
    store = try Self.store(in: self.folder, of: world)
    try open()
  }

  private static func store(in folder: URL, of world: CounterWorld) throws -> SQLiteStore {
    let clock = world.clock
    return try SQLiteStore(
      at: folder.appending(path: "store.sqlite"), schema: world.schema, generator: clock.generator,
      now: { Timestamp(milliseconds: clock.milliseconds) })
  }

  /// The app starts anew.
  func open() throws {
    store = try Self.store(in: folder, of: world)
    var options = SyncOptions()
    options.batchSize = number == 0 ? 1 : 50
    options.attemptLimit = 1000
    coordinator = SyncCoordinator(
      store: store, server: ParseServer(url: world.server.url, applicationID: "app1"),
      staging: folder.appending(path: "staging"), files: StagingFiles(),
      conflicts: ConflictPolicies(.remoteWins)
        .deletions(in: CounterWorld.className, editWins ? .editWins : .deleteWins),
      options: options, transport: self,
      environment: world.clock.environment { [unowned self] in ahead })
  }

  func sync() throws -> String {
    guard let coordinator else { return "no coordinator" }
    let run = coordinator.syncInLine()
    for entry in try entries() {
      world.note(
        "    unsent \(entry.kind) of \(entry.objectID), \(entry.state), \(entry.changed.sorted()) over "
          + entry.base.values.map { "\($0) \($1.nameForPeople)" }.sorted().joined(separator: ", "))
    }
    guard case .failure(let error)? = run.result else { return "" }
    return "failed: \(error)"
  }

  // MARK: The network

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    let clock = world.clock
    clock.pass(milliseconds: Int64(request.delay / .milliseconds(1)) + 2)
    let sent = LoopbackRequest(request, receivedAt: clock.date)
    var arriving = sent
    arriving.receivedAt = nil
    let isWrite =
      request.isWrite && !String(decoding: request.body, as: UTF8.self).contains("\"_method\"")
    guard isWrite, !world.isCalm else {
      if isWrite {
        world.server.leaves(sent, from: number)
        world.note("\(letter): sends \(String(decoding: request.body, as: UTF8.self))")
      }
      return .success(HTTPResponse(world.server.answer(arriving, from: number)))
    }
    if world.chance.one(in: 6) { try? world.edit(on: self) }
    let fate = world.chance.number(below: 14)
    world.note("\(letter): fate \(fate) \(String(decoding: request.body, as: UTF8.self))")
    if fate != 5 { world.server.leaves(sent, from: number) }
    switch fate {
    case 0, 1: return .failure(NetworkFault.connectionLost)
    case 2:
      clock.pass(milliseconds: 60_000)
      world.server.delay(sent, from: number)
      return .failure(NetworkFault.timedOut)
    case 5:
      return .success(NetworkFault.answer(429, #"{"error":"Too many requests."}"#))
    case 6: return .success(NetworkFault.answer(500))
    default: break
    }
    let answer = HTTPResponse(world.server.answer(arriving, from: number))
    if world.chance.one(in: 8) { try? world.edit(on: self) }
    switch fate {
    case 3, 4: return .failure(NetworkFault.connectionLost)
    case 7: return .success(NetworkFault.answer(502))
    default: return .success(answer)
    }
  }

  // MARK: The app

  private func rows() throws -> [Record] {
    try store.read { try $0.records(Query(CounterWorld.className)) }
  }

  func pickRow(by chance: inout Chance) throws -> Record? {
    let rows = try rows()
    return rows.isEmpty ? nil : chance.pick(rows)
  }

  /// Writes, and notes what the app has thereby added and removed.
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
    let entity = world.schema.entities[0]
    let before = Dictionary(
      (try rows() + [former].compactMap(\.self)).map { ($0["title"].nameForPeople, $0) },
      uniquingKeysWith: { first, _ in first })
    try store.write(body)
    for row in try rows() {
      world.ledger.note(
        from: before[row["title"].nameForPeople], to: row, of: entity, by: number)
    }
    world.note("\(letter): \(name)")
  }

  /// The app deletes a row, or undoes that.
  func deleteOrUndo() throws {
    if let former = deleted {
      deleted = nil
      // A hidden record counts as deleted, and comes back by an import without the edits before the delete.
      if !editWins, try rows().contains(where: { $0["title"] == former["title"] }) {
        world.ledger.forget(former["title"])
      }
      try write("undo of the delete", besides: former) { db in
        guard let last = try db.undoableTransaction() else { return }
        _ = try db.undo(last)
      }
    } else if let row = try pickRow(by: &world.chance) {
      deleted = row
      try store.write { try $0.delete(row.reference) }
      world.note("\(letter): delete \(row["title"])")
    }
  }

  /// The app discards an unsent edit.
  func discard() throws {
    guard deleted == nil else { return }
    let unsent = try entries().filter { $0.kind == .update && $0.isUnsent }
    guard !unsent.isEmpty else { return }
    let entry = world.chance.pick(unsent)
    do {
      try write("discard \(entry.objectID)") {
        _ = try $0.discardChange(of: entry.className, localID: entry.localID)
      }
    } catch let error as StoreError where [.beingSent, .cannotDiscard].contains(error.code) {
      world.note("\(letter): a discard is refused")
    }
  }

  private func entries() throws -> [OutboxEntry] {
    var entries: [OutboxEntry] = []
    try store.syncRead { reader throws(StoreError) in
      try reader.forEachPendingEntry(of: nil) { entries.append($0) }
    }
    return entries
  }

  func parkedAdditions() throws -> [OutboxEntry] {
    try entries().filter { $0.isUndecidable && !$0.undecidedFields.isEmpty }
  }

  func decide(_ entry: OutboxEntry, counted: Bool) throws -> Bool {
    try store.decideIncrements(of: entry.className, localID: entry.localID, counted: counted)
  }

  // MARK: The end

  /// Whether a conflict record has the row, so that its additions wait for the app.
  func hasLost(_ title: String) throws -> Bool {
    try store.read { db in
      try db.conflicts(of: nil, limit: nil).contains { conflict in
        guard conflict.reason != .editedRemotely else { return false }
        return conflict.lost["title"] == .string(title)
      }
    }
  }

  /// The device has what the server has, and nothing waits.
  func check(_ records: [CounterServer.CounterRecord]) throws -> Violation? {
    if let entry = try entries().first(where: \.isUnsent) {
      return Violation(
        .stuck, "\(letter) still has \(entry.kind) of \(entry.objectID): \(entry.state)")
    }
    let rows = try rows()
    for record in records {
      guard let row = rows.first(where: { $0.objectID == record.id }) else {
        return Violation(.divergence, "\(letter) lacks \(record.title ?? record.id)")
      }
      for field in world.schema.entities[0].fields {
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
