// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import Randomness

/// Adds users to a world: they log in and out, their sessions end, and rows are not for everybody.
///
/// Its chance is its own, so that the rest of the world is the same with and without users.
struct UserLife {
  var chance: Chance
  let world: World
  var settings: WorldSettings { world.settings }
  /// The rows so far, and their classes.
  private(set) var rows: [WorldRow]
  /// The last stamp.
  var stamp = 800_000
  /// The devices whose owners are logged in, as far as the events tell.
  private var ready: Set<Int>

  /// Gives one world in four users, and half of those access lists.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x5553_4552)
    guard chance.one(in: 4) else { return }
    world.settings.owners = (0..<world.settings.deviceCount).map { _ in
      chance.pick(User.allCases)
    }
    world.settings.hasAccessLists = chance.one(in: 2)
    if world.settings.hasAccessLists {
      for place in world.classes.indices { world.classes[place].isPrivate = chance.one(in: 4) }
    }
    var life = UserLife(world, chance)
    world.events = world.events.flatMap { life.events(around: $0) }
  }

  private init(_ world: World, _ chance: Chance) {
    self.chance = chance
    self.world = world
    rows = world.given.compactMap(world.row)
    ready = Set(0..<world.settings.deviceCount)
  }

  private mutating func events(around event: Event) -> [Event] {
    var events: [Event] = []
    if chance.one(in: 10) { events.append(change()) }
    if chance.one(in: 20) { events += sessionScript() }
    if settings.hasAccessLists, !rows.isEmpty, chance.one(in: 10) { events += rightScript() }
    if settings.hasAccessLists, !rows.isEmpty, chance.one(in: 5) {
      events.append(.edit(.client, right()))
    }
    switch event {
    case .edit(_, let edit) where edit.isInsert: rows += [world.row(edit)].compactMap(\.self)
    case .sync(let device, let selection, let comparison, let interruptions):
      if !ready.contains(device), !chance.one(in: 3) { events += logIn(device) }
      let more = self.interruptions(of: device)
      return events + [.sync(device, selection, comparison, interruptions + more)]
    default: break
    }
    return events + [event]
  }

  /// A device's session changes.
  private mutating func change() -> Event {
    let device = chance.number(below: settings.deviceCount)
    ready.remove(device)
    switch chance.number(below: 6) {
    case 0..<3: return .endSession(device)
    case 3: return .logOut(device)
    default: return .logIn(device, chance.pick(User.allCases))
    }
  }

  private mutating func logIn(_ device: Int) -> [Event] {
    ready.insert(device)
    return settings.owner(of: device).map { [.logIn(device, $0)] } ?? []
  }

  private mutating func interruptions(of device: Int) -> [Interruption] {
    var acts: [Interruption.Act] = []
    switch chance.number(below: 12) {
    case 0..<2: acts.append(.endSession)
    case 2: acts.append(.logIn(chance.pick(User.allCases)))
    default: break
    }
    if !acts.isEmpty { ready.remove(device) }
    if settings.hasAccessLists, !rows.isEmpty, chance.one(in: 3) {
      acts.append(.edit(.client, right()))
    }
    return acts.map { act in
      Interruption(moment: chance.number(below: chance.pick([8, 16, 32])), act: act)
    }
  }

  private mutating func right() -> Edit {
    let user = chance.pick(User.allCases)
    return .allow(
      chance.pick(rows).name,
      chance.pick(
        weighted: [
          (4, .everyone), (2, .readOnly), (1, .written(by: user)), (2, .alone(user)), (1, .nobody),
        ]))
  }
}
