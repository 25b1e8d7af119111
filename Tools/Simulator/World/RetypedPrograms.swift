// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Adds programs to the devices of a world that declare a field with another type, and the present ones again.
///
/// Its chance is its own, so that the rest of the world is the same with and without it.
struct RetypedPrograms {
  private var chance: Chance
  private let world: World

  /// Gives one world in six such programs.
  ///
  /// None of those with two programs: the other one could not use the store any more.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5254_5950)
    guard chance.one(in: 6), !world.settings.hasTwoPrograms else { return }
    world.settings.hasRetypedPrograms = true
    var programs = RetypedPrograms(chance: chance, world: world)
    world.events = world.events.flatMap { programs.events(before: $0) + [$0] }
  }

  private mutating func events(before event: Event) -> [Event] {
    let device = chance.number(below: world.settings.deviceCount)
    guard !chance.one(in: 10) else { return [.reopen(device)] }
    guard chance.one(in: 6) else { return [] }
    // A server whose field has numbers itself is another matter.
    let isMistake = !world.settings.hasSchemaChanges && chance.one(in: 3)
    return [.reopenRetyped(device, isMistake ? .mistyped : .widened)]
  }
}
