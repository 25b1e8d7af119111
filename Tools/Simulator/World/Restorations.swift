// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Lets the apps of a world restore what syncs overwrote or removed, between syncs and within them.
///
/// The chance is one of its own, so that the rest of the world is the same with and without restorations.
struct Restorations {
  private var chance: Chance

  /// Gives half of the worlds in which apps take edits back such decisions, too.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5245_5354)
    guard world.settings.takesBack, chance.one(in: 2) else { return }
    var restorations = Restorations(chance: chance)
    world.events = world.events.flatMap { restorations.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    guard case .sync(let device, let selection, let comparison, let interruptions) = event else {
      return [event]
    }
    let within = (0..<chance.pick([0, 0, 1, 2])).map { _ in
      Interruption(
        moment: chance.number(below: chance.pick([8, 16, 32])), isOfWrite: false,
        act: .decide(decision()))
    }
    let after = (0..<chance.pick([0, 1, 1, 2])).map { _ in Event.decide(device, decision()) }
    return [.sync(device, selection, comparison, interruptions + within)] + after
  }

  private mutating func decision() -> Decision { chance.pick([.restoreRun, .restoreLast, .undo]) }
}
