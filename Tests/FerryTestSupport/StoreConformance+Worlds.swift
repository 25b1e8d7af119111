// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness
import Testing

extension StoreConformance {
  static let worlds: [StoreCheck] = [
    StoreCheck(
      making:
        "what is pending leads from what the server has to what is here, can be taken back, and queries are followed"
    ) { make in
      for seed in 1...12 {
        var world = EditingWorld(store: try make(schema), seed: UInt64(seed))
        try world.run(steps: 120)
      }
    }
  ]
}

/// Random edits, folds and imports, and a plain account of what the server has.
///
/// The check applies the outbox entries to the account: the base for rows to delete or update,
/// current values for changed fields. The result must equal the rows; otherwise an edit was lost.
private struct EditingWorld {
  let store: any SyncStore
  let seed: UInt64
  private var generator: SeededGenerator
  private var server: [String: Fields] = [:]
  private var created = 0
  private var watchers = QueryWatcher.all

  init(store: any SyncStore, seed: UInt64) {
    self.store = store
    self.seed = seed
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(steps: Int) throws {
    for step in 0..<steps {
      switch Int.random(in: 0..<13, using: &generator) {
      case 0..<8: try edit()
      case 12: try discardOne()
      case 8: try foldInBatches()
      case 9: try importOne()
      case 10: try acknowledgeOne()
      default: try check(step)
      }
      for index in watchers.indices {
        try watchers[index].check(store, "seed \(seed), step \(step), query \(index)")
      }
    }
    try store.fold()
    try check(steps)
    try discardAll()
  }

  /// Takes an unsent change back: the record is what the server has.
  private mutating func discardOne() throws {
    let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
    guard let entry = pending.randomElement(using: &generator) else { return }
    let comment: Comment = "seed \(seed), \(entry)"
    #expect(
      try store.write { try $0.discardChange(of: "Game", localID: entry.localID) }, comment)
    #expect(try store.syncRead { try $0.pendingEntry(of: entry.key) } == nil, comment)
    let row = try store.read { try $0.record(of: "Game", objectID: entry.objectID) }
    #expect(row?.fields == server[entry.objectID], comment)
  }

  /// Takes all unsent changes back: the rows are those of the server.
  private func discardAll() throws {
    let count = try store.syncRead { try $0.pendingEntries(of: nil) }.count
    #expect(try store.write { try $0.discardChanges(of: nil) } == count)
    for isFolded in [false, true] {
      if isFolded { try store.fold() }
      #expect(try store.syncRead { try $0.pendingEntries(of: nil) }.isEmpty, "seed \(seed)")
      let rows = try store.read { try $0.records(of: "Game") }
      let actual = Dictionary(rows.map { ($0.objectID, $0.fields) }) { first, _ in first }
      #expect(actual == server, "seed \(seed)")
    }
  }

  /// Folding record by record comes to the same as folding all at once.
  private func foldInBatches() throws {
    let whole = try store.syncRead { try $0.pendingEntries(of: nil, batchSize: .max) }
    let small = try store.syncRead { try $0.pendingEntries(of: nil, batchSize: 1) }
    #expect(small == whole, "seed \(seed)")
    for entry in whole.shuffled().prefix(3) {
      #expect(try store.syncRead { try $0.pendingEntry(of: entry.key) } == entry)
    }
    try store.sync(.full) { try $0.fold(batchSize: 1) }
    #expect(try store.entries() == whole, "seed \(seed)")
  }

  private mutating func randomFields() -> Fields { .randomGame(using: &generator) }

  private mutating func anyGame() throws -> Record? {
    try store.read { try $0.records(of: "Game") }.randomElement(using: &generator)
  }

  /// Makes several edits in one transaction, including deletes and new inserts of deleted records.
  private mutating func edit() throws {
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let game = try anyGame()
      let fields = randomFields()
      switch (Int.random(in: 0..<6, using: &generator), game) {
      case (0, let game?): try store.write { try $0.delete(game.reference) }
      case (1, _):
        let present = Set(try store.read { try $0.records(of: "Game") }.map(\.objectID))
        let gone = server.keys.filter { !present.contains($0) }.sorted()
        guard let id = gone.randomElement(using: &generator) else { continue }
        _ = try store.write { try $0.insert("Game", fields, objectID: id) }
      case (2...4, let game?): try store.write { try $0.update(game.reference, fields) }
      default: _ = try store.write { try $0.insert("Game", fields) }
      }
    }
  }

  private mutating func importOne() throws {
    created += 1
    let id = "s\(created)"
    let fields = randomFields()
    server[id] = Fields(fields.values.filter { !$1.isNull })
    _ = try store.importGame(id, fields)
  }

  /// Sends and acknowledges an entry, sometimes with an edit in between.
  private mutating func acknowledgeOne() throws {
    try store.fold()
    let ready = try store.entries().filter { $0.state == .ready }
    guard var entry = ready.randomElement(using: &generator) else { return }
    let row = try store.game(entry.localID)
    var sent = Fields()
    for name in entry.changed { sent[name] = row?[name] ?? .null }
    entry.begin(
      Attempt(kind: entry.kind, sent: sent, token: entry.foldedThrough, startedAt: .earliest))
    try store.sync(.full) { try $0.put(entry) }
    let held = (server[entry.objectID] ?? [:]).merging(sent).values.filter { !$1.isNull }
    server[entry.objectID] = entry.kind == .delete ? nil : Fields(held)
    if Bool.random(using: &generator) { try edit() }
    try store.sync(.full) { transaction in
      try transaction.fold()
      guard
        var entry = try transaction.outboxEntries(of: "Game", objectIDs: [entry.objectID]).first
      else {
        Issue.record("seed \(seed): the entry that is on its way is gone")
        return
      }
      if entry.attempts.last?.kind == .create {
        try transaction.acknowledgeCreate(
          of: "Game", localID: entry.localID, objectID: entry.objectID,
          createdAt: StoreConformance.createdAt)
      }
      let current = try transaction.record(of: "Game", localID: entry.localID)?.fields
      let isDone = entry.acknowledge(
        answer: [:], version: nil, createdAt: StoreConformance.createdAt, current: current)
      if isDone {
        try transaction.removeOutboxEntry(of: "Game", localID: entry.localID)
      } else {
        try transaction.put(entry)
      }
    }
  }

  /// Queries and the call for many rows say of each row what its entry says.
  private func checkStates(of pending: [OutboxEntry], _ comment: Comment) throws {
    let known = pending.filter(\.hasRow).map { ($0.localID, $0.unsentState(closedClasses: [])) }
    let expected = Dictionary(uniqueKeysWithValues: known).compactMapValues(\.self)
    try store.read { db throws in
      let all = try db.records(of: "Game").map(\.localID)
      #expect(try db.unsentStates(of: "Game", localIDs: all) == expected, comment)
      for state in UnsentState.allCases {
        let found = try db.records(of: "Game", where: .unsent([state])).map(\.localID)
        #expect(found == all.filter { expected[$0] == state }, comment)
      }
    }
  }

  private func check(_ step: Int) throws {
    let comment: Comment = "seed \(seed), step \(step)"
    let pending = try store.syncRead { try $0.pendingEntries(of: nil) }
    let counted = try store.syncRead { try $0.pendingCounts() }
    #expect(counted == (pending.isEmpty ? [:] : ["Game": pending.count]), comment)
    try checkStates(of: pending, comment)
    var expected = server
    let rows = try store.read { try $0.records(of: "Game") }
    for entry in pending {
      let row = rows.first { $0.localID == entry.localID }
      switch entry.kind {
      case .delete:
        #expect(entry.base == server[entry.objectID], comment)
        expected[entry.objectID] = nil
      case .create:
        #expect(server[entry.objectID] == nil, comment)
        expected[entry.objectID] = row?.fields
      case .update:
        for name in entry.changed {
          #expect(
            entry.base[name] ?? .null == server[entry.objectID]?[name] ?? .null, comment)
          expected[entry.objectID]?[name] = row?.fields[name]
        }
        #expect(!entry.changed.isEmpty, comment)
      case .deleteAfterCreate: Issue.record("no create is on its way")
      }
    }
    let actual = Dictionary(rows.map { ($0.objectID, $0.fields) }) { first, _ in first }
    #expect(actual == expected, comment)
    #expect(Set(pending.map(\.objectID)).count == pending.count, comment)
  }
}
