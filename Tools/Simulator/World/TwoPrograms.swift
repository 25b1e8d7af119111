// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Adds a second program to each device of a world, which works on the same store.
///
/// Its chance is its own, so that the rest of the world is the same with and without it.
struct TwoPrograms {
  private var chance: Chance
  private let world: World
  /// The rows so far, and their classes.
  private var rows: [WorldRow]
  /// The last stamp.
  private var stamp = 3_000_000

  /// Gives one world in five second programs; in half of those, both share the staging folder.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5457_4F50)
    guard chance.one(in: 5) else { return }
    world.settings.hasTwoPrograms = true
    world.settings.sharesStaging = chance.one(in: 2)
    var programs = TwoPrograms(world, chance)
    world.events = world.events.flatMap { programs.events(around: $0) }
  }

  private init(_ world: World, _ chance: Chance) {
    self.world = world
    self.chance = chance
    rows = world.given.compactMap(world.row)
  }

  private mutating func events(around event: Event) -> [Event] {
    var events: [Event] = []
    let device = chance.number(below: world.settings.deviceCount)
    if chance.one(in: 6) { events.append(.switchProgram(device)) }
    if chance.one(in: 24) {
      // The other program becomes an older one.
      events += [.switchProgram(device), .reopenOlder(device), .switchProgram(device)]
    }
    switch event {
    case .edit(_, let edit) where edit.isInsert: rows += [world.row(edit)].compactMap(\.self)
    case .sync(let device, let selection, let comparison, let interruptions)
    where chance.one(in: 2):
      return events + [.sync(device, selection, comparison, interruptions + asides(on: device))]
    default: break
    }
    return events + [event]
  }

  private mutating func asides(on device: Int) -> [Interruption] {
    let moment = chance.number(below: chance.pick([4, 8, 16, 32]))
    var acts: [Interruption.Act] = []
    switch chance.number(below: 9) {
    case 0..<3: acts = [.other(.edit(edit(on: device)))]
    case 3: acts = [.other(.sync)]
    case 4: acts = [.other(.plan)]
    case 5: acts = [.other(.startOlder)]
    default:
      // The first program ends, and the other one goes on.
      acts = [.kill, .other(.sync)]
      if chance.one(in: 2) { acts.insert(.other(.edit(edit(on: device))), at: 1) }
      if chance.one(in: 2) { acts.append(.other(.edit(edit(on: device)))) }
    }
    let isOfWrite = chance.one(in: 3)
    return acts.map { Interruption(moment: moment, isOfWrite: isOfWrite, act: $0) }
  }

  private mutating func edit(on device: Int) -> Edit {
    stamp += 1
    let letter = Writer.letter(of: device)
    guard !rows.isEmpty, !chance.one(in: 5) else {
      let row = WorldRow(name: "p\(stamp)", made: chance.pick(world.classes))
      rows.append(row)
      return row.made.insert(row.name, stamp, by: letter)
    }
    let row = chance.pick(rows)
    switch chance.number(below: 5) {
    case 0: return .delete(row.name)
    case 1..<3: return row.edit(stamp, by: letter, number: 1)
    default: return row.edit(stamp, by: letter, number: 0)
    }
  }
}
