// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Adds changes of the server's schema to a world: its owner drops a field, with all values.
///
/// The next write of the field brings it back. The other client also writes a field that no device declares. The
/// chance is one of its own, so that the rest of the world is the same with and without them.
struct SchemaChanges {
  private var chance: Chance
  private let names: [String]

  /// Gives one world in six such changes.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5343_484D)
    guard chance.one(in: 1) else { return }
    world.settings.hasSchemaChanges = true
    var changes = SchemaChanges(chance: chance, names: world.classes.map(\.name))
    world.events = world.events.flatMap { changes.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    let before = chance.one(in: 8) ? [Event.dropField(chance.pick(names))] : []
    guard case .sync(let device, let selection, let comparison, let interruptions) = event,
      chance.one(in: 6)
    else { return before + [event] }
    let change = Interruption(
      moment: chance.number(below: chance.pick([4, 8, 16])), isOfWrite: chance.one(in: 3),
      act: .dropField(chance.pick(names)))
    return before + [.sync(device, selection, comparison, interruptions + [change])]
  }
}
