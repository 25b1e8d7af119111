// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import Testing

@Suite(.serialized) struct SeededBugTests {
  private let folder = Simulation.standardFolder.appending(path: UUID().uuidString)

  private var package: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
  }

  @Test func `each seeded bug has its place in the code exactly once`() throws {
    let files = try SeededSources(of: package).changedFiles()
    #expect(files.count > 20)
    #expect(files.values.allSatisfy { $0.contains("SeededSwitch.isOn(") })
  }

  @Test func `each seeded bug has a sentence of its own, and a switch`() {
    let bugs = SeededBug.allCases
    #expect(bugs.count >= 60 && bugs.count <= 128)
    #expect(Set(bugs.map(\.rawValue)).count == bugs.count)
  }

  /// A seeded bug, and a seed from which on a world catches it at once.
  struct Sample: Sendable, CustomTestStringConvertible {
    var bug: SeededBug
    var seed: UInt64
    var testDescription: String { bug.rawValue }
  }

  @Test(arguments: [
    Sample(bug: .skippedTies, seed: 17), Sample(bug: .neverAgain, seed: 1),
    Sample(bug: .ownClock, seed: 1), Sample(bug: .noConflictRecords, seed: 1),
  ])
  func `a world catches a seeded bug`(_ sample: Sample) {
    let mistaken = Simulation(with: sample.bug, folder: folder)
    let isCaught = (sample.seed..<sample.seed + 50).contains { seed in
      mistaken.play(World(seed: seed)).violation != nil
    }
    #expect(isCaught)
  }
}
