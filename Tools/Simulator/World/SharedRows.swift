// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness

/// Lets apps and the other client change the access lists of rows, in some worlds without users.
///
/// Each list leaves everyone all rights, and names a role that no other list names. So a list is a stamp, as the value of
/// a field is, and the rules for fields judge it.
///
/// The chance is one of its own, so that the rest of the world is the same with and without such edits.
struct SharedRows {
  private var chance: Chance
  private let deviceCount: Int
  private var rows: [String]
  private var stamp = 900_000

  /// Gives one world in four of those without users such edits.
  static func weave(into world: inout World) {
    var chance = Chance(seed: world.seed ^ 0x4C49_5354)
    // A trigger that replaces rows leaves their lists out, and the next sync gives them back.
    guard !world.settings.hasUsers, world.settings.trigger == nil, chance.one(in: 4) else {
      return
    }
    world.settings.sharesRows = true
    var shared = SharedRows(
      chance: chance, deviceCount: world.settings.deviceCount,
      rows: world.given.compactMap { world.row($0)?.name })
    world.events = world.events.flatMap { shared.events(around: $0) }
  }

  private mutating func events(around event: Event) -> [Event] {
    var events: [Event] = []
    if chance.one(in: 3), let (writer, edit) = edit() { events.append(.edit(writer, edit)) }
    switch event {
    case .edit(_, .insert(let row, _, _)):
      rows.append(row)
      return events + [event]
    case .sync(let device, let selection, let comparison, var interruptions):
      if chance.one(in: 3), let (writer, edit) = edit() {
        let moment = chance.number(below: chance.pick([8, 16, 32]))
        interruptions.append(Interruption(moment: moment, act: .edit(writer, edit)))
      }
      return events + [.sync(device, selection, comparison, interruptions)]
    default: return events + [event]
    }
  }

  private mutating func edit() -> (Writer, Edit)? {
    guard !rows.isEmpty else { return nil }
    stamp += 1
    let writer: Writer =
      chance.one(in: 3) ? .client : .app(chance.number(below: deviceCount))
    let list = chance.one(in: 8) ? Content.empty : .list("\(writer.text)\(stamp)")
    return (writer, .set(chance.pick(rows), [Fields.accessList: list]))
  }
}

extension Content {
  /// An access list by which everyone has all rights, and so has a role of this name.
  static func list(_ role: String) -> Content {
    let both: Content = .object(["read": .flag(true), "write": .flag(true)])
    return .object(["*": both, "role:\(role)": both])
  }

  /// The role of such a list; nil for any other value.
  var role: String? {
    guard case .object(let members) = self, members.count == 2 else { return nil }
    return members.keys.first { $0.hasPrefix("role:") }.map { String($0.dropFirst("role:".count)) }
  }
}
