// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation
import Synchronization

/// Many worlds, on several threads at once; each world is played on one thread.
public struct Campaign: Sendable {
  /// A world that broke a rule.
  public struct Failure: Sendable {
    /// The world's number: its seed, or its place in a fault injection.
    public var number: UInt64
    /// Which of the number's worlds it was, from 0 on.
    public var variation: Int
    /// The rule, and how it was broken.
    public var violation: Violation
  }

  private struct State {
    var next: UInt64
    var tally = Tally()
    var failures: [Failure] = []
  }

  /// Each hundredth world is played twice: both courses must be the same.
  private static let repeated: UInt64 = 100

  private let worlds: @Sendable (UInt64, Simulation) -> [World]
  private let first: UInt64
  private let count: UInt64
  private let step: UInt64
  private let runs: Int
  private let deadline: Date?
  private let threads: Int
  private let folder: URL

  /// Plans a campaign.
  ///
  /// - Parameters:
  ///   - first: The number of the first world.
  ///   - count: How many numbers there are from it on.
  ///   - step: Plays only each such number, as a sample.
  ///   - runs: After how many syncs and plans to begin no further world.
  ///   - deadline: When to begin no further world; nil for never.
  ///   - threads: How many worlds to play at a time.
  ///   - folder: Where the devices' files go.
  ///   - world: Makes a world from its number, by default from a seed.
  ///   - variations: Makes the worlds to play of a number's world, by default that one.
  public init(
    first: UInt64, count: UInt64, step: UInt64 = 1, runs: Int = .max, deadline: Date? = nil,
    threads: Int = 1,
    folder: URL = Simulation.standardFolder,
    world: @escaping @Sendable (UInt64) -> World = { World(seed: $0) },
    variations: @escaping @Sendable (World, Simulation) -> [World] = { world, _ in [world] }
  ) {
    worlds = { variations(world($0), $1) }
    self.first = first
    self.count = count
    self.step = max(step, 1)
    self.runs = runs
    self.deadline = deadline
    self.threads = threads
    self.folder = folder
  }

  /// Plays all of them.
  ///
  /// - Parameter found: Called for each failure when it is found, one at a time.
  /// - Returns: The numbers of all plays, and the failures in order.
  public func run(found: @Sendable (Failure) -> Void = { _ in }) -> (Tally, [Failure]) {
    let state = Mutex(State(next: first))
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      let simulation = Simulation(folder: folder.appending(path: "\(thread)"))
      while let number = take(state) {
        for (variation, world) in worlds(number, simulation).enumerated() {
          let outcome = play(world, twice: number % Self.repeated == 0, simulation)
          state.withLock { state in
            state.tally.add(outcome.tally)
            guard let violation = outcome.violation else { return }
            let failure = Failure(number: number, variation: variation, violation: violation)
            state.failures.append(failure)
            found(failure)
          }
        }
      }
    }
    try? FileManager.default.removeItem(at: folder)
    return state.withLock { ($0.tally, $0.failures.sorted { $0.number < $1.number }) }
  }

  private func take(_ state: borrowing Mutex<State>) -> UInt64? {
    state.withLock { state in
      let isOver = deadline.map { $0 < Date() } ?? false
      guard !isOver, state.next - first < count, state.tally.runs < runs else { return nil }
      defer { state.next += step }
      return state.next
    }
  }

  private func play(
    _ world: World, twice: Bool, _ simulation: Simulation
  ) -> Simulation.Outcome {
    var outcome = simulation.play(world)
    guard outcome.violation == nil, twice else { return outcome }
    if simulation.play(world).trace != outcome.trace {
      outcome.violation = Violation(
        .nondeterminism, "the world took another course the second time")
    }
    return outcome
  }
}
