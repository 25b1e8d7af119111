// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness

// Courses of events about one row, which chance alone brings together too rarely.
extension UserLife {
  /// A session ends, or another user logs in, while an edit is on its way.
  mutating func sessionScript() -> [Event] {
    let device = chance.number(below: settings.deviceCount)
    guard let owner = settings.owner(of: device) else { return [] }
    let other: User = owner == .anna ? .bert : .anna
    let moment = chance.number(below: 3)
    let change: Event
    let act: Interruption.Act
    switch chance.number(below: 4) {
    case 0: (change, act) = (.logOut(device), .endSession)
    case 1: (change, act) = (.endSession(device), .endSession)
    default: (change, act) = (.logIn(device, other), .logIn(other))
    }
    var events: [Event] = [.logIn(device, owner), edit(by: device)]
    if chance.one(in: 2) {
      events.append(
        .sync(
          device, .all, .rolling, [Interruption(moment: moment, isOfWrite: true, act: act)]))
    } else {
      events += [change, .sync(device, .all, .rolling, [])]
    }
    if chance.one(in: 2) { events += [edit(by: device), .sync(device, .all, .rolling, [])] }
    return events + [.logIn(device, owner), .sync(device, .all, .rolling, [])]
  }

  /// A row loses its rights while an edit of it is on its way, and perhaps gets them back.
  mutating func rightScript() -> [Event] {
    let device = chance.number(below: settings.deviceCount)
    guard let owner = settings.owner(of: device) else { return [] }
    let row = chance.pick(rows)
    let other: User = owner == .anna ? .bert : .anna
    let less = Edit.allow(
      row.name,
      chance.pick(weighted: [
        (3, .readOnly), (1, .written(by: other)), (2, .alone(other)), (1, .nobody),
      ]))
    let free = Event.edit(.client, .allow(row.name, .everyone))
    var events: [Event] = [.logIn(device, owner), free, .sync(device, .all, .rolling, [])]
    let change =
      chance.one(in: 3) ? Event.edit(.app(device), .delete(row.name)) : edit(row, by: device)
    events.append(change)
    if chance.one(in: 2) {
      var acts = [Interruption(moment: 0, isOfWrite: true, act: .edit(.client, less))]
      if chance.one(in: 2) {
        // Right after the server has refused the write, and before the device knows.
        for case .edit(let writer, let edit) in [free, edit(row, by: device)] {
          acts.append(Interruption(moment: 1, isOfWrite: true, act: .edit(writer, edit)))
        }
      }
      events.append(.sync(device, .all, .rolling, acts))
    } else {
      events += [.edit(.client, less), .sync(device, .all, .rolling, [])]
    }
    if chance.one(in: 2) { events += [free, .sync(device, .all, .rolling, [])] }
    if chance.one(in: 2) { events += [edit(row, by: device), .sync(device, .all, .rolling, [])] }
    return events
  }

  private mutating func edit(by device: Int) -> Event {
    rows.isEmpty ? .pass(1) : edit(chance.pick(rows), by: device)
  }

  private mutating func edit(_ row: WorldRow, by device: Int) -> Event {
    stamp += 1
    return .edit(
      .app(device),
      row.edit(stamp, by: Writer.letter(of: device), number: chance.number(below: 2)))
  }
}
