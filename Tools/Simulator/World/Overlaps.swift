// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Randomness

/// Lets the listings of a world compare the versions of an overlap, which its few rows would never begin.
///
/// Some of these worlds also have a write that is committed between two listings, under a stamp that lies before both.
/// The chance is one of its own, so that the rest of the world is the same with and without these comparisons.
struct Overlaps {
  private var chance: Chance

  /// Gives two worlds in three such listings.
  static func weave(into world: inout World) {
    var overlaps = Overlaps(chance: Chance(seed: world.seed ^ 0x4F56_4552))
    guard !overlaps.chance.one(in: 3) else { return }
    world.settings.sync.overlapComparison.leastRows = overlaps.chance.pick([1, 1, 2])
    world.settings.sync.overlapComparison.margin = .seconds(overlaps.chance.pick([0, 1, 5]))
    guard overlaps.chance.one(in: 2) else { return }
    // If one page has all rows, its last stamp does not tell how many lie before the margin.
    if overlaps.chance.one(in: 2) {
      world.settings.sync.pageSize = overlaps.chance.pick([1, 2, 3])
    }
    let place = overlaps.chance.number(below: world.events.count + 1)
    world.events.insert(contentsOf: overlaps.lateWrite(world), at: place)
  }

  private mutating func lateWrite(_ world: World) -> [Event] {
    let made = chance.pick(world.classes)
    let device = chance.number(below: world.settings.deviceCount)
    func insert(_ number: Int) -> Event {
      .edit(.client, made.insert("v\(number)", 7_000_000 + number, by: "c"))
    }
    let sync = Event.sync(device, .all, .rolling, [])
    return [
      insert(1), insert(2), insert(3), sync,
      .beginEdit(
        WorldRow(name: "v\(chance.pick([1, 2]))", made: made).edit(7_000_009, by: "c", number: 0)),
      .pass(chance.pick([10, 20])), insert(4), sync, .pass(chance.pick([1, 10])), .deliver, sync,
    ]
  }
}
