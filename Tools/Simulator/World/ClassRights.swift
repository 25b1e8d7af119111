// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Adds changes of a class's rights to a world: the server's owner closes it and opens it again.
///
/// Its chance is its own, so that the rest of the world is the same with and without them.
struct ClassRights {
  private var chance: Chance
  private let names: [String]

  /// Gives one world in six such changes.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x434C_5053)
    guard chance.one(in: 6) else { return }
    world.settings.hasClassRights = true
    var rights = ClassRights(chance: chance, names: world.classes.map(\.name))
    world.events = world.events.flatMap { rights.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    let before = chance.one(in: 8) ? [change()].map { Event.allowClass($0, $1) } : []
    guard case .sync(let device, let selection, let comparison, let interruptions) = event,
      chance.one(in: 5)
    else { return before + [event] }
    let (name, access) = change()
    let change = Interruption(
      moment: chance.number(below: chance.pick([4, 8, 16])), isOfWrite: chance.one(in: 3),
      act: .allowClass(name, access))
    return before + [.sync(device, selection, comparison, interruptions + [change])]
  }

  private mutating func change() -> (String, ClassAccess) {
    (chance.pick(names), chance.one(in: 2) ? .everything : chance.pick(ClassAccess.allCases))
  }
}
