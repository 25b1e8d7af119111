// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import Randomness
import Testing

@testable import FerryEngine

/// The short way of a page through a batch ends as the planner's way through values does.
@Suite(.timeLimit(.minutes(3))) struct BatchImportTests {
  private static let seeds = 0..<72

  @Test(arguments: seeds)
  func `a page through a batch leaves what the planner leaves`(_ seed: Int) throws {
    for isInMemory in [true, false] {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: folder) }
      var chance = SeededGenerator(seed: UInt64(seed))
      let pages = BatchWorld.pages(&chance)
      let preparation = chance
      var ends: [BatchWorld.End] = []
      for isShort in [true, false] {
        var chance = preparation
        // Half of the worlds update their few rows in bulk.
        let store = try BatchWorld.store(
          isInMemory ? nil : folder.appending(path: "\(isShort).sqlite"),
          bulkUpdate: seed.isMultiple(of: 2) ? 1 : nil)
        var world = BatchWorld(store)
        try world.prepare(&chance)
        // In a third of the worlds, a page follows another in the same transaction.
        if seed.isMultiple(of: 3) {
          try world.importPages(pages, byBatch: isShort)
        } else {
          for page in pages { try world.importPages([page], byBatch: isShort) }
        }
        ends.append(try world.end())
      }
      #expect(
        ends[0].difference(from: ends[1]).isEmpty, "seed \(seed), in memory: \(isInMemory)")
    }
  }

  @Test func `the worlds have all that a page can meet`() throws {
    var seen = Set<String>()
    for seed in Self.seeds {
      var chance = SeededGenerator(seed: UInt64(seed))
      let pages = BatchWorld.pages(&chance)
      var world = BatchWorld(try BatchWorld.store(nil))
      try world.prepare(&chance)
      for page in pages { try world.importPages([page], byBatch: true) }
      seen.formUnion(try world.end().kinds)
    }
    let missing = BatchWorld.End.allKinds.subtracting(seen)
    #expect(missing.isEmpty)
  }
}
