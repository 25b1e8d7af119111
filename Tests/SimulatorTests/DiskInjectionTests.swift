// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import Testing

@Suite(.serialized) struct DiskInjectionTests {
  private let folder = Simulation.standardFolder.appending(path: UUID().uuidString)

  @Test(arguments: DiskInjection.Kind.allCases)
  func `no rule is broken wherever the disk fails`(_ kind: DiskInjection.Kind) throws {
    let simulation = Simulation(folder: folder)
    let injection = try DiskInjection(kind, of: DiskScenario.all[0], in: simulation)
    #expect(injection.count >= 1000)
    for place in 0..<6 {
      let number = (2 * place + 1) * injection.count / 12
      let outcome = simulation.play(injection.world(at: number))
      #expect(outcome.violation == nil, "world \(number)")
      let failures = outcome.tally.happenings.filter {
        $0.key.hasPrefix("the power goes") || $0.key.hasPrefix("a disk refuses")
      }
      #expect(!failures.isEmpty, "world \(number)")
    }
  }
}
