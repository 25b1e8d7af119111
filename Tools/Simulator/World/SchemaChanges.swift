// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Adds changes of the server's schema to a world: its owner drops a field, with all values.
///
/// The next write of the field brings it back. It may be a number of the other client, which no device can read. From
/// then on the server refuses the texts of the devices. The other client also writes a field that no device declares.
/// The chance is one of its own, so that the rest of the world is the same with and without these changes.
struct SchemaChanges {
  private var chance: Chance
  private let world: World
  private var names: [String] { world.classes.map(\.name) }
  /// The rows so far, and their classes.
  private var rows: [WorldRow]
  /// The last stamp.
  private var stamp = 4_000_000

  /// Gives one world in six such changes.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5343_484D)
    guard chance.one(in: 6) else { return }
    world.settings.hasSchemaChanges = true
    var changes = SchemaChanges(
      chance: chance, world: world, rows: world.given.compactMap(world.row))
    world.events = world.events.flatMap { changes.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    if case .edit(_, let edit) = event { rows += [world.row(edit)].compactMap(\.self) }
    var before: [Event] = []
    if chance.one(in: 8) { before.append(.dropField(chance.pick(names))) }
    if chance.one(in: 8), let edit = retyping() { before.append(.edit(.client, edit)) }
    guard case .sync(let device, let selection, let comparison, let interruptions) = event,
      chance.one(in: 5)
    else { return before + [event] }
    var changes = [Interruption.Act.dropField(chance.pick(names))]
    if chance.one(in: 2), let edit = retyping() { changes.append(.edit(.client, edit)) }
    let moment = chance.number(below: chance.pick([4, 8, 16]))
    let isOfWrite = chance.one(in: 3)
    return before + [
      .sync(
        device, selection, comparison,
        interruptions
          + changes.map { Interruption(moment: moment, isOfWrite: isOfWrite, act: $0) })
    ]
  }

  /// A value of another type, which the server takes only after the field was dropped.
  private mutating func retyping() -> Edit? {
    guard !rows.isEmpty else { return nil }
    stamp += 1
    let row = chance.pick(rows)
    return .set(row.name, row.made.mistake(stamp))
  }
}
