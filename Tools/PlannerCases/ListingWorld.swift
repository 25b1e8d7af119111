// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import Randomness

/// A server's class in plain Swift that answers a pager's queries, and changes all the time.
struct ListingWorld {
  struct Row: Equatable {
    var id: String
    /// Microseconds, as a database may store them; the server sends milliseconds.
    var stamp: Int64
    /// A trigger removes the row from every answer, but not from counts.
    var isHidden = false
    /// The row was changed or deleted since the listing began.
    var hasMoved = false
  }

  enum Clock: Sendable { case right, absent, ahead, behind }

  /// In the order of their stamps and ids.
  private(set) var rows: [Row] = []
  /// The greatest number of rows in an answer, regardless of the query.
  var pageLimit: Int
  var clock: Clock
  /// Microseconds.
  var now: Int64 = 1_700_000_000_000_000
  var countsAreRefused = false
  private(set) var requests = 0
  private var lastID: UInt64 = 0

  init(pageLimit: Int = 100, clock: Clock = .right) {
    self.pageLimit = pageLimit
    self.clock = clock
  }

  var time: Timestamp { Timestamp(milliseconds: now / 1000) }

  mutating func insert(stamp: Int64? = nil, isHidden: Bool = false) {
    // The order of ids differs from the order of creation, as on a server.
    lastID += 1
    let id = String(lastID &* 0x9E37_79B9_7F4A_7C15, radix: 36)
    put(Row(id: id, stamp: stamp ?? now, isHidden: isHidden, hasMoved: true))
  }

  /// Changes, removes and adds some rows.
  mutating func live(_ steps: Int, by generator: inout SeededGenerator) {
    for _ in 0..<steps {
      now += Int64.random(in: 1...30, using: &generator) * 1000
      switch rows.isEmpty ? 0 : Int.random(in: 0..<4, using: &generator) {
      case 0: insert()
      case 1: rows.remove(at: Int.random(in: rows.indices, using: &generator))
      default:
        var row = rows.remove(at: Int.random(in: rows.indices, using: &generator))
        row.stamp = now
        row.hasMoved = true
        put(row)
      }
    }
  }

  /// Gives a row another stamp, which may be an earlier one.
  mutating func move(_ id: String, to stamp: Int64) {
    guard let index = rows.firstIndex(where: { $0.id == id }) else { return }
    var row = rows.remove(at: index)
    row.stamp = stamp
    row.hasMoved = true
    put(row)
  }

  /// Removes a hidden row.
  mutating func removeHidden() {
    if let index = rows.firstIndex(where: \.isHidden) { rows.remove(at: index) }
  }

  mutating func resolve() {
    for index in rows.indices { rows[index].hasMoved = false }
  }

  private mutating func put(_ row: Row) {
    let place = rows.lastIndex { ($0.stamp, $0.id) < (row.stamp, row.id) }
    rows.insert(row, at: place.map { $0 + 1 } ?? 0)
  }

  /// The rows that a response contains, and the response.
  mutating func response(
    to query: ListingQuery, limit: Int
  ) -> (rows: [Row], response: ListingResponse) {
    requests += 1
    let matching = query.ordered(rows.filter { query.matches($0) })
    let cap = query.rows == .newest ? 1 : min(limit, pageLimit)
    let shown = matching.dropFirst(query.skip).prefix(cap).filter { !$0.isHidden }
    return (
      shown,
      ListingResponse(
        rowCount: shown.count, last: shown.last.map(\.key),
        count: query.counts && !countsAreRefused ? matching.count : nil,
        date: date, duration: .milliseconds(3))
    )
  }

  /// In whole seconds, like the header.
  private var date: Timestamp? {
    let second = now / 1_000_000 * 1000
    switch clock {
    case .right: return Timestamp(milliseconds: second)
    case .absent: return nil
    case .ahead: return Timestamp(milliseconds: second + 3_600_000)
    case .behind: return Timestamp(milliseconds: second - 3_600_000)
    }
  }

  /// The result of a listing and how it ended.
  struct Outcome {
    var listed: [String: Int64] = [:]
    var pager: ListingPager
    /// The names of the transitions.
    var edges = Set<[String]>()
    /// Whether the server's count agreed with the end; nil if the listing has not ended.
    var isCounted: Bool? { if case .ended(let isCounted) = pager.phase { isCounted } else { nil } }
    var isEnd: Bool { isCounted != nil }
    var newest: Timestamp? {
      listed.values.max().map { Timestamp(milliseconds: $0 / 1000) }
    }
  }

  /// Lists all rows while they change between answers; gives up after more requests than any
  /// listing may need.
  mutating func list(
    _ pager: ListingPager, limit: Int = 1000, most: Int = 3000,
    between: (inout ListingWorld) -> Void = { _ in }
  ) -> Outcome {
    var outcome = Outcome(pager: pager)
    for _ in 0..<most {
      guard let query = outcome.pager.query else { break }
      let (shown, response) = response(to: query, limit: limit)
      let from = outcome.pager.phase.name
      let action = outcome.pager.take(response)
      outcome.edges.insert([from, response.event(in: from), outcome.pager.phase.name])
      if action.keepsPage { for row in shown { outcome.listed[row.id] = row.stamp } }
      between(&self)
    }
    return outcome
  }
}

extension ListingWorld.Row {
  var key: ListingKey {
    ListingKey(updatedAt: Timestamp(milliseconds: stamp / 1000), objectID: id)
  }
}

extension ListingQuery {
  fileprivate func matches(_ row: ListingWorld.Row) -> Bool {
    if let until, row.stamp >= until.milliseconds * 1000 { return false }
    switch rows {
    case .newest: return true
    case .from(let start): return row.stamp >= start.milliseconds * 1000
    case .after(let key):
      let stamp = key.updatedAt.milliseconds * 1000
      return row.stamp > stamp || row.stamp == stamp && row.id > key.objectID
    case .millisecond(let start, let objectID):
      let range = start.milliseconds * 1000..<start.milliseconds * 1000 + 1000
      return range.contains(row.stamp) && row.id > objectID ?? ""
    case .named(let ids, let last): return ids.contains(row.id) && row.id > last ?? ""
    }
  }

  /// Sorts rows from the order of stamps and ids into the requested order.
  fileprivate func ordered(_ matching: [ListingWorld.Row]) -> [ListingWorld.Row] {
    switch rows {
    case .newest: matching.reversed()
    case .millisecond, .named: matching.sorted { $0.id < $1.id }
    case .from, .after: matching
    }
  }
}

extension ListingPager.Action {
  var keepsPage: Bool {
    switch self {
    case .query(_, let page), .end(_, let page): page != nil
    case .stop: false
    }
  }
}

extension ListingPager.Phase {
  /// The name in the table of transitions.
  var name: String {
    switch self {
    case .opening: "opening"
    case .bounding: "bounding"
    case .paging: "paging"
    case .walking: "walking"
    case .skipping: "skipping"
    case .stuck: "stuck"
    case .ended: "ended"
    case .stopped: "stopped"
    }
  }
}

extension ListingResponse {
  /// The name in the table of transitions.
  func event(in phase: String) -> String {
    phase == "bounding" ? "newest" : last == nil ? "empty" : "rows"
  }
}
