// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import Testing

@Suite(.serialized) struct SmallScopeTests {
  @Test(arguments: [(1, 24), (2, 186), (3, 1_148), (4, 7_604)])
  func `the number of courses is known`(upTo longest: Int, _ count: Int) {
    #expect(SmallScope(longest: longest).count == count)
  }

  @Test func `each request of each sync fails in three ways`() {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    let simulation = Simulation(folder: folder)
    let scope = SmallScope(longest: 2)
    // The last course of a length ends with a sync.
    let worlds = SmallScope.variations(of: scope.world(at: scope.count - 1), in: simulation)
    #expect(worlds.count > 3)
    #expect((worlds.count - 1).isMultiple(of: 3))
    for world in worlds { #expect(simulation.play(world).violation == nil) }
  }
}
