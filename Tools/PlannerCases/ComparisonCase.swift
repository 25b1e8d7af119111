// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// Listings of a device that compare the versions of their overlap, while writes are committed late.
struct ComparisonCase: CustomStringConvertible {
  /// Microseconds.
  private static let overlap: Int64 = 10_000_000

  private var world: ListingWorld
  /// The stamps that the device has, in milliseconds.
  private var stored: [String: Int64] = [:]
  private var cursor = DownloadCursor()
  private var terms = OverlapComparison.Terms()
  private var comparisons = 0

  var description: String { "\(world)\n\(stored)\n\(cursor), \(comparisons) comparisons" }

  private init(_ chance: inout SeededGenerator) {
    world = ListingWorld(
      pageLimit: 1 + chance.number(below: 4),
      clock: chance.pick([.right, .right, .absent, .behind])
    )
    terms.leastRows = 1 + chance.number(below: 2)
    terms.margin = .milliseconds(chance.pick([0, 500, 2_000]))
    for _ in 0..<chance.number(below: 12) { commit(upTo: Self.overlap, late: &chance) }
  }

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var device = ComparisonCase(&chance)
    for round in 0..<6 {
      let isQuiet = round > 3
      try device.list { device in
        guard !isQuiet, chance.one(in: 3) else { return }
        device.live(&chance)
      }
      device.world.now += Int64(1 + chance.number(below: 4_000)) * 1_000
      for _ in 0..<(isQuiet || round == 3 ? 0 : chance.number(below: 4)) { device.live(&chance) }
    }
    let missing = device.world.rows.filter { device.stored[$0.id] != $0.stamp / 1_000 }
    try law(missing.isEmpty, "what comes within the overlap is listed", "\(missing)\n\(device)")
  }

  /// Something happens on the server; where its clock is right, a write may come late.
  private mutating func live(_ chance: inout SeededGenerator) {
    if world.clock == .right, chance.one(in: 2) {
      world.now += Int64(1 + chance.number(below: chance.pick([1, 4_000]))) * 1_000
      commit(upTo: Self.overlap, late: &chance)
    } else {
      world.live(1, by: &chance)
    }
  }

  /// Commits a write of a row, new or not, under an earlier stamp.
  private mutating func commit(upTo latest: Int64, late chance: inout SeededGenerator) {
    let stamp = world.now - Int64(chance.number(below: Int(latest)))
    // Two writes of a row under one stamp are told apart by nothing.
    if chance.one(in: 2), let row = world.rows.randomElement(using: &chance),
      row.stamp / 1_000 != stamp / 1_000, stored[row.id] != stamp / 1_000
    {
      world.move(row.id, to: stamp)
    } else {
      world.insert(stamp: stamp)
    }
  }

  /// Lists as a download does, and imports what came.
  private mutating func list(between: (inout ComparisonCase) -> Void) throws(BrokenLaw) {
    var listing = SegmentedListing(
      after: cursor, isCounting: true, isCountTrusted: true,
      overlap: .milliseconds(Self.overlap / 1_000), comparing: terms)
    var fetched: [String: Int64] = [:]
    var end: ListingEnd?
    for _ in 0..<500 {
      guard let query = listing.query else { break }
      var (shown, response) = world.response(to: query, limit: 1000)
      if query.content == .versions {
        comparisons += 1
        response.wanted = shown.filter { stored[$0.id] != $0.stamp / 1_000 }.map(\.id)
      }
      let (edits, isStopped) = listing.take(response).edits
      try law(!isStopped, "a listing is not stopped", "\(query)\n\(self)")
      for edit in edits {
        switch edit {
        case .keep: for row in shown { fetched[row.id] = row.stamp / 1_000 }
        case .complete(let complete): end = complete
        case .open, .discard: break
        }
      }
      between(&self)
    }
    guard let end, listing.query == nil else {
      throw BrokenLaw(sentence: "a listing ends", values: "\(listing)\n\(self)")
    }
    stored.merge(fetched) { $1 }
    cursor = end.cursor
  }
}

extension SegmentedListing.Action {
  fileprivate var edits: ([ListingEdit], isStopped: Bool) {
    switch self {
    case .query(let edits), .complete(let edits): (edits, false)
    case .stop(_, let edits): (edits, true)
    }
  }
}
