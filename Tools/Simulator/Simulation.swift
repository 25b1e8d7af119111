// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation
import SimulatedDisk

/// Plays worlds and says what fell.
public struct Simulation: Sendable {
  /// The result of a play.
  public struct Outcome: Sendable {
    /// The rule that it broke; nil where all held.
    public var violation: Violation?
    /// How much was tried.
    public var tally: Tally
    /// The course as one number.
    public var trace: UInt64
    /// What happened, in the notation of stories; empty unless it was asked for.
    public var story = ""
    /// Each event, request and answer, and each device after its syncs; empty unless it was asked for.
    public var chronicle: [String] = []
  }

  /// A mistake; nil for the engine as it is.
  private let bug: SeededBug?
  /// Where the devices' files go.
  private let folder: URL

  /// A simulation that keeps the devices' files in a folder, best one in memory.
  ///
  /// - Parameter folder: The folder.
  public init(folder: URL = Self.standardFolder) {
    bug = nil
    self.folder = folder
  }

  /// A simulation of an engine with a mistake, for a test of the simulator.
  ///
  /// - Parameters:
  ///   - bug: The mistake.
  ///   - folder: The folder.
  package init(with bug: SeededBug, folder: URL = Self.standardFolder) {
    self.bug = bug
    self.folder = folder
  }

  /// A folder of this process in memory, where the system has one.
  public static var standardFolder: URL {
    MemoryFolder.url
      .appending(path: "ferry-simulator-\(ProcessInfo.processInfo.processIdentifier)")
  }

  /// Carries a world out from its beginning to its end.
  ///
  /// - Parameters:
  ///   - world: The world.
  ///   - tells: Whether to write the story.
  /// - Returns: The rule that it broke, if any, and the numbers of the play. An error that is no violation
  ///   counts as a failed sync.
  public func play(_ world: World, tells: Bool = false) -> Outcome {
    do {
      return try playing(world) { player in
        player.tale.chronicle.isKept = tells
        let violation = player.violation()
        var tally = player.tally
        tally.worlds = 1
        return Outcome(
          violation: violation, tally: tally, trace: player.trace,
          story: tells ? player.story(violation?.rule.rawValue ?? "no violation") : "",
          chronicle: player.tale.chronicle.lines)
      }
    } catch {
      return Outcome(violation: error, tally: Tally(), trace: 0)
    }
  }

  /// The moments of each sync among a world's events, in order.
  func moments(in world: World) throws(Violation) -> [[Moment]] {
    try playing(world) { player throws(Violation) in
      if let violation = player.violation() { throw violation }
      return player.tale.syncs.map(\.moments)
    }
  }

  /// The operations of a device's disk from its planned failures to the last event of a world.
  func diskOperations(of device: Int, in world: World) throws(Violation) -> [DiskOperation] {
    try playing(world) { player throws(Violation) in
      if let violation = player.violation() { throw violation }
      return player.diskOperations[device]
    }
  }

  /// Hands out the player of a world, and removes its files afterwards.
  private func playing<Result>(
    _ world: World, _ body: (Player) throws(Violation) -> Result
  ) throws(Violation) -> Result {
    SeededBug.turnOn(bug)
    let place = folder.appending(path: "world", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: place)
    defer { try? FileManager.default.removeItem(at: place) }
    let player: Player
    do {
      player = try Player(world, with: bug, in: place)
    } catch {
      throw Violation(.failedSync, "\(error)")
    }
    return try body(player)
  }

  /// The smallest world that breaks the same rule as this one.
  ///
  /// - Parameters:
  ///   - world: A world that breaks a rule.
  ///   - rule: The rule.
  ///   - plays: How many worlds to play at most.
  /// - Returns: The world with fewer events.
  public func shrink(_ world: World, breaking rule: Violation.Rule, plays: Int = 400) -> World {
    Shrinker.smallest(world, breaking: rule, plays: plays) { play($0).violation?.rule }
  }
}

extension Player {
  /// The first rule that the world breaks; nil where all hold.
  fileprivate func violation() -> Violation? {
    do {
      try play()
      return nil
    } catch {
      return error as? Violation ?? Violation(.failedSync, "\(error)")
    }
  }
}
