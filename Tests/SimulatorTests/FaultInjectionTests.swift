// Ferry: offline-first sync for Parse Server. MIT licence.

import FerrySimulator
import Foundation
import Testing

@Suite(.serialized) struct FaultInjectionTests {
  private let folder = Simulation.standardFolder.appending(path: UUID().uuidString)

  @Test(arguments: FaultInjection.Kind.allCases)
  func `no rule is broken wherever the failure comes`(_ kind: FaultInjection.Kind) throws {
    let simulation = Simulation(folder: folder)
    let injection = try FaultInjection(kind, of: .workingDay(), in: simulation)
    #expect(injection.count >= 10)
    for place in 0..<4 {
      let number = (2 * place + 1) * injection.count / 8
      #expect(simulation.play(injection.world(at: number)).violation == nil, "world \(number)")
    }
  }

  /// A kind of failure, and a mistake that some failure of the kind shows.
  struct Mistake: Sendable, CustomTestStringConvertible {
    var kind: FaultInjection.Kind
    var bug: SeededBug
    var testDescription: String { "\(kind): \(bug.rawValue)" }
  }

  @Test(arguments: [
    Mistake(kind: .kills, bug: .neverAgain), Mistake(kind: .transportErrors, bug: .neverAgain),
    Mistake(kind: .delays, bug: .noSettling),
  ])
  func `injected failures show a mistake of the engine`(_ mistake: Mistake) throws {
    let kind = mistake.kind
    let injection = try FaultInjection(kind, of: .workingDay(), in: Simulation(folder: folder))
    let mistaken = Simulation(with: mistake.bug, folder: folder)
    let step = max(1, injection.count / 60)
    let fell = stride(from: injection.count - 1, to: 0, by: -step).contains {
      mistaken.play(injection.world(at: $0)).violation != nil
    }
    #expect(fell)
  }
}
