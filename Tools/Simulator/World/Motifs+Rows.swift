// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness

// Rows that meet deletes, point to each other, cannot be read, or go all at once.
extension Motifs {
  /// Devices edit a row that another client deletes, or delete a row that it edits.
  mutating func editMeetsDelete() -> [Event] {
    let device = device()
    var (place, events) = known()
    let referring = referring(to: place, by: device)
    if let referring { events += [referring, sync(device)] }
    let acts = [
      set(place, by: .app(device)), .edit(.app(device), .delete(place.row)),
    ]
    if chance.one(in: 2) {
      // Deleted by another client, and edited by the app, perhaps on two devices.
      events.append(acts[0])
      if chance.one(in: 2) { events.append(set(place, by: .app(other(than: device)))) }
      events.append(.edit(.client, .delete(place.row)))
    } else {
      // Deleted by the app, perhaps after an edit, and edited by another client.
      if chance.one(in: 2) { events.append(acts[0]) }
      events += [acts[1], set(place, by: .client)]
    }
    if chance.one(in: 3) {
      return events + [
        sync(device, atWrite: 0, [.fate(.losesItsAnswer)]), sync(other(than: device)), sync(device),
      ]
    }
    return events + [sync(device), sync(other(than: device)), sync(device)]
  }

  /// A new row that points to a row; nil where no class does.
  private mutating func referring(to place: Place, by device: Int) -> Event? {
    for made in world.classes {
      guard let pointer = made.pointers.first(where: { $0.target == place.made.name }) else {
        continue
      }
      return insert(name(), made, by: .app(device), [pointer.field: .row(place.row)])
    }
    return nil
  }

  /// Rows that nobody has sent point to each other.
  mutating func circle() -> [Event] {
    for first in world.classes {
      for pointer in first.pointers {
        guard let second = world.classes.first(where: { $0.name == pointer.target }),
          let back = second.pointers.first(where: { $0.target == first.name })
        else { continue }
        let device = device()
        let (one, two) = (name(), name())
        return [
          insert(one, first, by: .app(device)),
          insert(two, second, by: .app(device), [back.field: .row(one)]),
          .edit(.app(device), .set(one, [pointer.field: .row(two)])),
          chance.one(in: 2)
            ? sync(device)
            : sync(device, atWrite: chance.number(below: 3), [.fate(.losesItsAnswer)]),
          set(Place(row: one, made: first), by: .app(device)), sync(device),
        ]
      }
    }
    return editMeetsDelete()
  }

  /// A row points to another one that the app takes back before anybody saw it.
  mutating func orphan() -> [Event] {
    let device = device()
    guard let made = world.classes.first(where: { !$0.pointers.isEmpty }),
      let target = world.classes.first(where: { $0.name == made.pointers[0].target })
    else { return manyEdits() }
    let (parent, child) = (name(), name())
    let field = made.pointers[0].field
    var events = [
      insert(parent, target, by: .app(device)),
      insert(child, made, by: .app(device), [field: .row(parent)]),
    ]
    if chance.one(in: 3) { events.append(sync(device, atWrite: 0, [.fate(.isLost)])) }
    events += [.edit(.app(device), .delete(parent)), sync(device)]
    return events + [.edit(.app(device), .set(child, [field: .empty])), sync(device)]
  }

  /// A record that the server has points to a new one, of which the create fails.
  mutating func pointerToUnsent() -> [Event] {
    let device = device()
    guard let made = world.classes.first(where: { !$0.pointers.isEmpty }),
      let target = world.classes.first(where: { $0.name == made.pointers[0].target })
    else { return manyEdits() }
    var (place, events) = known(made)
    let fresh = name()
    events += [
      insert(fresh, target, by: .app(device)),
      .edit(.app(device), .set(place.row, [made.pointers[0].field: .row(fresh)])),
      sync(
        device, atWrite: 0,
        [.fate(chance.pick([.isAnswered(500), .isLost, .isDelayed, .losesItsAnswer]))]),
    ]
    if chance.one(in: 2) { events.append(.edit(.app(device), .delete(fresh))) }
    return events + [sync(device), .deliver, sync(other(than: device)), sync(device)]
  }

  /// An older program runs for a while, and other clients write the field that it does not declare.
  mutating func olderProgram() -> [Event] {
    let device = device()
    let (place, events) = known()
    let (first, later) = (place.made.written.first, place.made.later)
    var course: [Event] = [.reopenOlder(device), set(place, by: .client, later)]
    if chance.one(in: 2) { course.append(set(place, by: .app(device), first)) }
    course += [sync(device), .pass(chance.pick([100, 1000])), sync(device), .reopen(device)]
    if chance.one(in: 2) { course.append(set(place, by: .app(device), first)) }
    if chance.one(in: 3) { course.append(set(place, by: .app(device), later)) }
    return events + course + [sync(device)]
  }

  /// Another client writes a value that no device can read, perhaps over an edit, and mends it.
  mutating func unreadable() -> [Event] {
    let device = device()
    var (place, events) = known()
    guard let whole = place.made.whole else { return events + manyEdits() }
    let field = chance.pick(place.made.written)
    if chance.one(in: 2) { events.append(set(place, by: .app(device), field)) }
    events += [
      .edit(.client, .set(place.row, [whole: .half(number())])), sync(device),
    ]
    if chance.one(in: 2) { events.append(set(place, by: .app(device), field)) }
    events.append(sync(device))
    if chance.one(in: 2) {
      events += [set(place, by: .client, whole), sync(device)]
    }
    return events + [sync(other(than: device))]
  }

  /// All rows of a class go at once.
  mutating func emptiedClass() -> [Event] {
    let device = device()
    let made = someClass()
    let rows = (0..<7).map { _ in name() }
    var events = rows.map { insert($0, made, by: .client) }
    events += [sync(device), sync(other(than: device))]
    let deletions = world.givenRows(of: made.name) + rows
    events += deletions.map { .edit(.client, .delete($0)) }
    if chance.one(in: 3) { events.append(set(Place(row: rows[0], made: made), by: .app(device))) }
    return events + [sync(device), sync(device), sync(other(than: device))]
  }
}

extension World {
  /// The rows of a class that all devices have at the beginning, and those that come later.
  fileprivate func givenRows(of className: String) -> [String] {
    let edits =
      given
      + events.compactMap { if case .edit(_, let edit) = $0 { edit } else { nil } }
    return edits.compactMap { edit in
      if case .insert(let row, className, _) = edit { row } else { nil }
    }
  }
}
