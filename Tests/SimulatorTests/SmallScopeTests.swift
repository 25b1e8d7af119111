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

  @Test func `a process ends and an answer is lost in one world, in both orders`() throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    let simulation = Simulation(folder: folder)
    let scope = SmallScope(longest: 3)
    let world = try #require(
      (0..<scope.count).lazy.map(scope.world).first { world in
        world.events.count { if case .sync = $0 { true } else { false } } == 2
      })
    let single = SmallScope.variations(of: world, in: simulation)
    let worlds = SmallScope.variations(of: world, failures: 2, in: simulation)
    let kinds = worlds.map { world in
      world.events.flatMap { event in
        guard case .sync(_, _, _, let interruptions) = event else { return [String]() }
        return interruptions.map { if case .kill = $0.act { "kill" } else { "lost answer" } }
      }
    }
    #expect(kinds.count { $0.count < 2 } == single.count)
    #expect(
      Set(kinds.filter { $0.count > 1 }) == [["kill", "lost answer"], ["lost answer", "kill"]])
    for world in worlds { #expect(simulation.play(world).violation == nil) }
  }
}
