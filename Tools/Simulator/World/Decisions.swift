// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// Lets the apps of a world take edits back: they undo, redo and discard, and send parked changes again.
///
/// All of that also happens between any two steps of a sync. The chance is one of its own, so that the rest of the world
/// is the same with and without these decisions.
struct Decisions {
  private var chance: Chance
  private let world: World
  /// The rows of the last edits.
  private var rows: [String]

  /// Gives one world in three such decisions.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x554E_444F)
    // An undo may bring back a value that does not fit the type of the next program.
    guard chance.one(in: 3), !world.settings.hasRetypedPrograms else { return }
    world.settings.takesBack = true
    var decisions = Decisions(chance: chance, world: world, rows: world.given.map(\.row))
    world.events = world.events.flatMap { decisions.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    switch event {
    case .edit(.app(let device), let edit):
      note(edit)
      return [event] + (chance.one(in: 3) ? script(on: device, latest: edit.row) : [])
    case .edit(.client, let edit):
      note(edit)
      return [event]
    case .sync(let device, let selection, let comparison, let interruptions):
      for case .edit(_, let edit) in interruptions.map(\.act) { note(edit) }
      let more = chance.one(in: 2) ? decisionsWithinSync() : []
      let sync = Event.sync(device, selection, comparison, interruptions + more)
      let isFollowed = chance.one(in: 4)
      return [sync] + (isFollowed ? script(on: device, latest: nil) : [])
    default:
      let device = chance.number(below: world.settings.deviceCount)
      return [event] + (chance.one(in: 6) ? script(on: device, latest: nil) : [])
    }
  }

  private mutating func note(_ edit: Edit) {
    rows.append(edit.row)
    if rows.count > 6 { rows.removeFirst() }
  }

  /// A few decisions, one after the other.
  private mutating func script(on device: Int, latest: String?) -> [Event] {
    if let latest, chance.one(in: 4) { return [.decide(device, .discard(latest))] }
    return (0..<chance.pick([1, 1, 2, 3])).map { _ in .decide(device, decision()) }
  }

  private mutating func decisionsWithinSync() -> [Interruption] {
    let isOfWrite = chance.one(in: 2)
    return (0..<chance.pick([1, 2, 3])).map { _ in
      let moment = chance.number(below: isOfWrite ? 4 : chance.pick([8, 16, 32]))
      return Interruption(moment: moment, isOfWrite: isOfWrite, act: .decide(decision()))
    }
  }

  private mutating func decision() -> Decision {
    let row = rows.isEmpty ? nil : chance.pick(rows)
    return chance.pick(
      weighted: [
        (8, .undo), (4, .redo), (3, row.map { .discard($0) } ?? .discardAll), (2, .discardAll),
        (1, row.map { .retry($0) } ?? .retryAll), (1, .retryAll),
      ])
  }
}
