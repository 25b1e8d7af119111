// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import SimulatedDisk

/// A course of events in which a device's disk fails.
///
/// There are 24: the two days of work, and 22 generated worlds, which differ in classes, filters, page sizes, policies and
/// in all else that goes wrong. The disk fails among the last events up to the last sync of a device, and in what follows.
/// The app starts again before that sync and after it, so that SQLite moves its log into the database there.
public struct DiskScenario: Sendable {
  /// The name, for people.
  public let name: String
  let device: Int
  private let before: [Event]
  private let after: [Event]
  private let base: World

  /// All of them.
  public static let all: [DiskScenario] =
    World.workingDays.enumerated().map { DiskScenario("day \($0)", $1, span: 12) }
    + (1...22).map { DiskScenario("seed \($0)", World(seed: $0), span: 5) }

  private init(_ name: String, _ world: World, span: Int) {
    self.name = name
    var base = world
    base.settings.hasSimulatedDisks = true
    // The copies of backups are on no disk of their device. Apps on such disks take no edits back.
    base.events.removeAll {
      switch $0 {
      case .goBack, .backUp, .decide: true
      default: false
      }
    }
    let last = base.events.lastIndex { if case .sync = $0 { true } else { false } } ?? 0
    device = if case .sync(let device, _, _, _)? = base.events[last...].first { device } else { 0 }
    let start = max(0, last - span)
    before = Array(base.events[..<start])
    var events = base.events[start...].map(Self.withoutInterruptions)
    events.insert(.reopen(device), at: last - start)
    events.insert(.reopen(device), at: last - start + 2)
    after = events
    self.base = base
  }

  /// An edit within a sync that loses its power could not be checked.
  private static func withoutInterruptions(_ event: Event) -> Event {
    guard case .sync(let device, let selection, let comparison, _) = event else { return event }
    return .sync(device, selection, comparison, [])
  }

  func world(failing failures: [DiskFailure]) -> World {
    var world = base
    world.events = before + [.failDisk(device, failures)] + after
    return world
  }
}
