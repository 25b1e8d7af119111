// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness

// Writes whose requests are late, refused in part, or overtaken.
extension Motifs {
  /// A write is late, and others follow before it arrives.
  mutating func lateWrite() -> [Event] {
    let device = device()
    var (place, events) = known()
    if chance.one(in: 2) {
      place.row = name()
      events = [insert(place.row, place.made, by: .app(device))]
    } else {
      events.append(
        chance.one(in: 4)
          ? .edit(.app(device), .delete(place.row)) : set(place, by: .app(device)))
    }
    let isClockWrong = chance.one(in: 6)
    if isClockWrong { events.append(.setClock(device, daysAhead: 400)) }
    events.append(
      sync(
        device, atWrite: 0,
        [.fate(chance.pick([.isDelayed, .isDelayed, .arrivesTwice, .losesItsAnswer]))]))
    if isClockWrong { events.append(.setClock(device, daysAhead: 0)) }
    for _ in 0...chance.number(below: 3) { events.append(sequel(of: place, device)) }
    let again = chance.one(in: 3) ? sync(device, atWrite: 0, [.fate(.isDelayed)]) : sync(device)
    events += chance.one(in: 3) ? [.deliver, again] : [again, .deliver]
    if chance.one(in: 2) { events += [sync(device), sequel(of: place, device)] }
    return events + [.deliver, sync(other(than: device)), sync(device)]
  }

  /// Something that may follow on a write whose answer did not come.
  private mutating func sequel(of place: Place, _ device: Int) -> Event {
    switch chance.number(below: 9) {
    case 0..<3: set(place, by: .app(device))
    case 3: .edit(.app(device), .delete(place.row))
    case 4: set(place, by: .client)
    case 5: .pass(chance.pick([20, 130, 300]))
    case 6: sync(other(than: device))
    default: sync(device)
    }
  }

  /// A device changes many rows of a class, and the server carries out a part.
  mutating func manyEdits() -> [Event] {
    let device = device()
    let made = someClass()
    let rows = (0..<6).map { _ in name() }
    let isCreation = chance.one(in: 2)
    var events = rows.map { insert($0, made, by: isCreation ? .app(device) : .client) }
    if !isCreation {
      events += [sync(device), sync(other(than: device))]
      events += rows.map { row in
        chance.one(in: 5)
          ? .edit(.app(device), .delete(row))
          : set(Place(row: row, made: made), by: .app(device))
      }
    }
    let fate = chance.pick(
      weighted: [
        (2, Fate.failsInPart(at: chance.number(below: 4))), (1, .losesItsAnswer), (1, .isTruncated),
        (1, .isAnswered(500)),
      ])
    return events + [sync(device, atWrite: chance.number(below: 2), [.fate(fate)])]
      + [chance.one(in: 2) ? sync(device) : set(Place(row: rows[0], made: made), by: .app(device))]
  }

  /// The app and other clients change a row while a write of it is under way.
  mutating func editsAroundWrite() -> [Event] {
    let device = device()
    var (place, events) = known()
    if chance.one(in: 3) {
      place.row = name()
      events.append(insert(place.row, place.made, by: .app(device)))
    } else {
      events.append(set(place, by: .app(device)))
    }
    let acts: [Interruption.Act] = (0...chance.number(below: 2)).map { _ in
      switch chance.number(below: 8) {
      case 0..<3: edit(set(place, by: .app(device)))
      case 3: .edit(.app(device), .delete(place.row))
      case 4: .kill
      case 5: .fate(.losesItsAnswer)
      default: edit(set(place, by: .client))
      }
    }
    events.append(sync(device, atWrite: chance.number(below: 2), acts))
    if chance.one(in: 2) {
      events.append(set(place, by: chance.one(in: 2) ? .client : .app(device)))
    }
    return events + [sync(device), set(place, by: .app(device)), sync(device)]
  }

  private func edit(_ event: Event) -> Interruption.Act {
    if case .edit(let writer, let edit) = event { .edit(writer, edit) } else { .kill }
  }

  /// Another client's write takes its time, and becomes visible under an old stamp.
  mutating func slowClient() -> [Event] {
    let (place, events) = known()
    guard case .edit(_, let edit) = set(place, by: .client) else { return events }
    let device = device()
    return events + [
      .beginEdit(edit), set(place, by: .client), sync(device),
      .pass(chance.pick([10, 60, 200, 500])), sync(other(than: device)), .deliver, sync(device),
    ]
  }

  /// A store is copied while its writes are under way, and both copies go on.
  mutating func copyOfStore() -> [Event] {
    let device = device()
    let row = name()
    let place = Place(row: row, made: someClass())
    let copy = other(than: device)
    var events = [insert(row, place.made, by: .app(device))]
    if chance.one(in: 2) { events.append(sync(device, atWrite: 0, [.fate(.losesItsAnswer)])) }
    events += [.backUp(device)]
    if chance.one(in: 2) { events.append(set(place, by: .app(device))) }
    events.append(.goBack(copy, toBackupOf: device))
    if chance.one(in: 2) { events.append(set(place, by: .app(copy))) }
    return events
      + (chance.one(in: 2) ? [sync(device), sync(copy)] : [sync(copy), sync(device)])
      + [set(place, by: .app(copy)), sync(copy), sync(device)]
  }

  /// The stages of a sync run apart, and other things happen between them.
  mutating func stagesApart() -> [Event] {
    let device = device()
    let (place, events) = known()
    return events + [
      set(place, by: .client), sync(device, .only(.download)), set(place, by: .app(device)),
      sync(device, .only(chance.pick([.putUpdated, .importing]))),
      chance.one(in: 2) ? set(place, by: .client) : set(place, by: .app(device)),
      sync(device, .only(.importing)), sync(device),
    ]
  }
}
