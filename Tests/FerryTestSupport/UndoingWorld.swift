// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Randomness
import Testing

/// Random transactions, and the states of the table between them.
///
/// Undo by undo, the table goes back through the states; redo by redo, it goes forwards through them. Folds and syncs
/// of another class come in between.
struct UndoingWorld {
  let store: any SyncStore
  let seed: UInt64
  private var generator: SeededGenerator
  private var states: [[String: Fields]] = []
  private var imported = 0

  init(store: any SyncStore, seed: UInt64) {
    self.store = store
    self.seed = seed
    generator = SeededGenerator(seed: seed)
  }

  mutating func run(transactions: Int) throws {
    for number in 0..<5 { _ = try store.importGame("s\(number)", randomFields()) }
    states = [try state()]
    for _ in 0..<transactions {
      try transact()
      if try state() != states.last { states.append(try state()) }
      try disturb()
    }
    try undoAll()
    try redoSome()
    try undoAll()
  }

  private mutating func undoAll() throws {
    var position = try #require(states.lastIndex(of: try state()))
    while try store.read({ try $0.undoableTransaction() }) != nil {
      let result = try #require(try store.undo())
      #expect(result.kept.isEmpty, "seed \(seed)")
      position -= result.undone.isEmpty ? 0 : 1
      let expected = position >= 0 ? states[position] : [:]
      #expect(try state() == expected, "seed \(seed), state \(position)")
      try disturb()
    }
    #expect(try state() == states.first, "seed \(seed)")
    for isFolded in [false, true] {
      if isFolded { try store.fold() }
      #expect(try store.syncRead { try $0.pendingEntries(of: "Game") }.isEmpty, "seed \(seed)")
    }
  }

  private mutating func redoSome() throws {
    var position = 0
    for _ in 0..<Int.random(in: 0...states.count, using: &generator) {
      guard let result = try store.redo() else { break }
      #expect(result.kept.isEmpty, "seed \(seed)")
      position += result.undone.isEmpty ? 0 : 1
      #expect(try state() == states[min(position, states.count - 1)], "seed \(seed)")
      try disturb()
    }
  }

  private func state() throws -> [String: Fields] {
    let rows = try store.read { try $0.records(of: "Game") }
    return Dictionary(rows.map { ($0.objectID, $0.fields) }) { first, _ in first }
  }

  private mutating func disturb() throws {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: try store.fold()
    case 1:
      imported += 1
      try store.importRows("League", [StoreConformance.importRow("League", "l\(imported)", [:])])
    default: break
    }
  }

  /// Edits within one transaction: deletes, inserts of deleted records, and rows that do not outlive it.
  private mutating func transact() throws {
    var generator = generator
    defer { self.generator = generator }
    let fields = (0..<6).map { _ in randomFields() }
    try store.write { db in
      for number in 0..<Int.random(in: 1...5, using: &generator) {
        let games = try db.records(of: "Game")
        let game = games.randomElement(using: &generator)
        switch (Int.random(in: 0..<7, using: &generator), game) {
        case (0, let game?): try db.delete(game.reference)
        case (1, let game?):
          try db.delete(game.reference)
          try db.insert("Game", fields[number], objectID: game.objectID)
        case (2...4, let game?): try db.update(game.reference, fields[number])
        default: try db.insert("Game", fields[number])
        }
      }
    }
  }

  private mutating func randomFields() -> Fields { .randomGame(using: &generator) }
}
