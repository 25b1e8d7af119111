// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import Testing

@Suite(.serialized) struct SimulationTests {
  private let simulation = Simulation(
    folder: Simulation.standardFolder.appending(path: UUID().uuidString))

  @Test func `the same seed takes the same course`() {
    let first = simulation.play(World(seed: 500))
    let second = simulation.play(World(seed: 500))
    #expect(first.violation == nil)
    #expect(first.trace == second.trace)
    #expect(first.tally == second.tally)
  }

  @Test(arguments: UInt64(1)...12) func `no rule is broken`(in seed: UInt64) {
    let outcome = simulation.play(World(seed: seed))
    #expect(outcome.violation == nil)
    #expect(outcome.tally.worlds == 1)
  }
}
