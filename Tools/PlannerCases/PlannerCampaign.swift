// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import Randomness
import Synchronization

/// Many generated cases of all planners, on several threads at once.
///
/// The number of a case decides all of it: equal numbers give equal cases on every machine.
package struct PlannerCampaign: Sendable {
  /// A case that breaks a law.
  package struct Failure: Sendable {
    package var number: UInt64
    package var planner: Planner
    package var law: BrokenLaw
  }

  /// The cases of a planner.
  package struct Tally: Sendable {
    package var cases = 0
    /// The time of one thread that they took.
    package var time = Duration.zero

    fileprivate mutating func add(_ other: Tally) {
      cases += other.cases
      time += other.time
    }
  }

  /// How many cases a thread takes at a time.
  private static let portion: UInt64 = 2_000

  private struct State {
    var taken: UInt64 = 0
    var tallies: [Planner: Tally] = [:]
    var failures: [Failure] = []
  }

  private let first: UInt64
  private let count: UInt64
  private let threads: Int
  private let only: Planner?

  /// Plans a campaign.
  ///
  /// - Parameters:
  ///   - first: The number of the first case.
  ///   - count: How many cases there are from it on.
  ///   - threads: How many cases to check at a time.
  ///   - only: The planner of all cases; nil for each by its share.
  package init(first: UInt64, count: UInt64, threads: Int = 1, only: Planner? = nil) {
    self.first = first
    self.count = count
    self.threads = threads
    self.only = only
  }

  /// Checks all cases.
  ///
  /// - Returns: The cases of each planner in number and time, and those that broke a law, in order.
  package func run() -> (tallies: [Planner: Tally], failures: [Failure]) {
    let state = Mutex(State())
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      while let portion = take(state) {
        var tallies: [Planner: Tally] = [:]
        for number in portion {
          let start = ContinuousClock.now
          let (planner, law) = check(number)
          tallies[planner, default: Tally()].add(Tally(cases: 1, time: ContinuousClock.now - start))
          guard let law else { continue }
          let failure = Failure(number: number, planner: planner, law: law)
          state.withLock { $0.failures.append(failure) }
        }
        state.withLock { state in
          for (planner, tally) in tallies { state.tallies[planner, default: Tally()].add(tally) }
        }
      }
    }
    return state.withLock { ($0.tallies, $0.failures.sorted { $0.number < $1.number }) }
  }

  private func take(_ state: borrowing Mutex<State>) -> Range<UInt64>? {
    state.withLock { state in
      guard state.taken < count else { return nil }
      let start = state.taken
      state.taken = min(start + Self.portion, count)
      return first + start..<first + state.taken
    }
  }

  /// The planner of a case, and the law that the case breaks.
  private func check(_ number: UInt64) -> (Planner, BrokenLaw?) {
    // Neighbouring numbers would give overlapping sequences of numbers without this.
    var seeds = SeededGenerator(seed: number)
    var chance = SeededGenerator(seed: seeds.next())
    let drawn = Planner(of: &chance)
    let planner = only ?? drawn
    do {
      try planner.check(&chance)
      return (planner, nil)
    } catch {
      return (planner, error)
    }
  }
}
