// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Testing

@testable import FerrySimulator

@Suite(.serialized) struct SmallScopeTests {
  @Test(arguments: [(1, 24), (2, 186), (3, 1_148), (4, 7_604)])
  func `the number of courses is known`(upTo longest: Int, _ count: Int) {
    #expect(SmallScope(longest: longest).count == count)
  }

  @Test func `each request of each sync fails in two ways, and each write in three`() throws {
    let folder = Simulation.standardFolder.appending(path: UUID().uuidString)
    let simulation = Simulation(folder: folder)
    let scope = SmallScope(longest: 2)
    // The first course in which a device sends something: it inserts a record and syncs.
    let world = try #require(
      (0..<scope.count).lazy.map(scope.world).first { world in
        let moments = try? simulation.moments(in: world).flatMap(\.self)
        return moments?.contains(where: \.isOfWrite) == true
      })
    let requests = try simulation.moments(in: world).flatMap(\.self).filter {
      if case .leaving = $0 { true } else { false }
    }
    let writes = requests.filter(\.isOfWrite)
    let worlds = SmallScope.variations(of: world, in: simulation)
    #expect(worlds.count == 1 + 2 * requests.count + writes.count)
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
