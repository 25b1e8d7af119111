// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A few rows that change while a pager lists them.
enum ListingCase {
  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    switch chance.number(below: 6) {
    case 0: try checkSuccession(&chance)
    case 1: try ComparisonCase.check(&chance)
    default: try checkListing(&chance)
    }
  }

  private static func world(_ chance: inout SeededGenerator, hides: Bool) -> ListingWorld {
    var world = ListingWorld(
      pageLimit: 1 + chance.number(below: 4),
      clock: chance.pick([.right, .absent, .ahead, .behind])
    )
    for _ in 0..<chance.number(below: 4) {
      let stamp = world.now - Int64(1 + chance.number(below: 1_000_000)) * 1_000
      let isFine = chance.one(in: 2)
      for _ in 0...chance.number(below: 4) {
        world.insert(
          stamp: stamp + (isFine ? Int64(chance.number(below: 1_000)) : 0),
          isHidden: hides && chance.one(in: 2))
      }
    }
    world.resolve()
    return world
  }

  private static func checkListing(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    let hides = chance.one(in: 3)
    var world = world(&chance, hides: hides)
    let before = world
    // A hidden row that moves shifts the rows behind it. Only a count within bounds shows that.
    var moves = hides ? (world.clock == .right ? 2 : 0) : 30
    var outcome = world.list(ListingPager(from: nil, isCounting: true), most: 300) {
      guard moves > 0, chance.one(in: 2) else { return }
      moves -= 1
      $0.now += 2_000_000
      $0.live(1, by: &chance)
    }
    if outcome.pager.bounds.leavesNewer {
      let first = outcome.listed
      outcome = world.list(
        ListingPager(from: nil, isCounting: true, believesDate: false), most: 300)
      outcome.listed.merge(first) { later, _ in later }
    }
    var text: String { "\(before)\n\(world)\n\(outcome)" }
    try law(outcome.isEnd, "a listing ends", text)
    let missing = world.rows.filter {
      !$0.isHidden && !$0.hasMoved && outcome.listed[$0.id] != $0.stamp
    }
    try law(missing.isEmpty, "each row that does not change is listed", text)
  }

  /// Successive listings miss no row.
  private static func checkSuccession(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var world = world(&chance, hides: false)
    var cursor = DownloadCursor()
    var listed: [String: Int64] = [:]
    for round in 0..<4 {
      let start = cursor.lowerBound(overlap: .seconds(2))
      let outcome = world.list(ListingPager(from: start, isCounting: true), most: 300) {
        if round < 2, chance.one(in: 2) { $0.live(1, by: &chance) }
      }
      try law(outcome.isEnd, "a listing ends", "\(world)\n\(outcome)")
      listed.merge(outcome.listed) { $1 }
      cursor = cursor.extended(
        serverTimeLowerBound: outcome.pager.bounds.serverTimeLowerBound, listed: outcome.newest)
      world.now += Int64(1 + chance.number(below: 20_000)) * 1_000
      if round < 2 { world.live(chance.number(below: 6), by: &chance) }
    }
    let missing = world.rows.filter { listed[$0.id] != $0.stamp }
    try law(missing.isEmpty, "two quiet listings show each row", "\(world)\n\(listed)")
  }
}
