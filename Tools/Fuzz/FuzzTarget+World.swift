// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation

extension FuzzTarget {
  /// No world breaks a rule of the simulator.
  static func checkWorld(_ bytes: Data) throws(BrokenLaw) {
    try FuzzFolder.use { folder throws(BrokenLaw) in
      try check(World(decisions: Array(bytes)), Simulation(folder: folder))
    }
  }

  private static func check(_ world: World, _ simulation: Simulation) throws(BrokenLaw) {
    guard let violation = simulation.play(world).violation else { return }
    let smallest = simulation.shrink(world, breaking: violation.rule, plays: 100)
    throw BrokenLaw("\(violation)\n\(simulation.play(smallest, tells: true).story)")
  }
}
