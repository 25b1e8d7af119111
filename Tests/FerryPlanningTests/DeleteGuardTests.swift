// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import Testing

@testable import FerryPlanning

@Suite(.timeLimit(.minutes(1))) struct DeleteGuardTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var removing: Int
    var total: Int
    var today = 0
    var limit = RemovalLimit()
    var passes: Bool
  }

  static let cases = [
    Case(testDescription: "nothing", removing: 0, total: 0, passes: true),
    Case(testDescription: "S27: the only row", removing: 1, total: 1, passes: true),
    Case(testDescription: "all of four", removing: 4, total: 4, passes: true),
    Case(testDescription: "all of five", removing: 5, total: 5, passes: false),
    Case(
      testDescription: "the last four of a class that had more today", removing: 4, total: 4,
      today: 1, passes: false),
    Case(testDescription: "all but one of twenty", removing: 19, total: 20, passes: true),
    Case(testDescription: "21 of 80", removing: 21, total: 80, passes: false),
    Case(testDescription: "20 of 79", removing: 20, total: 79, passes: true),
    Case(testDescription: "24 % of 1,000", removing: 240, total: 1_000, passes: true),
    Case(
      testDescription: "S27: 24 % again on the same day", removing: 182, total: 760, today: 240,
      passes: false),
    Case(
      testDescription: "a custom limit", removing: 60, total: 100,
      limit: RemovalLimit(share: 0.5, count: 100), passes: true),
    Case(
      testDescription: "emptying allowed", removing: 9, total: 9,
      limit: RemovalLimit(share: 1, count: 0, allowsEmptying: true), passes: true),
  ]

  @Test(arguments: cases) func `the guard holds back removals above its limits`(_ item: Case) {
    let ids = (0..<item.removing).map { "r\($0)" }
    let action = DeleteGuard(limit: item.limit).action(
      "Game", on: .local, removing: ids, of: item.total, removedToday: item.today)
    #expect((action == .pass) == item.passes)
  }

  @Test func `a confirmation covers exactly one set of rows`() throws {
    let ids = (0..<30).map { "r\($0)" }
    let strict = DeleteGuard(limit: RemovalLimit())
    let action = strict.action("Game", on: .local, removing: ids, of: 40, removedToday: 0)
    guard case .hold(let removal, fewest: 40) = action else {
      Issue.record("30 of 40 passed")
      return
    }
    #expect(removal.count == 30 && removal.total == 40 && removal.side == .local)
    let confirmed = DeleteGuard(limit: RemovalLimit(), confirmed: [removal.confirmation])
    func passes(_ ids: [String], _ className: String = "Game", _ side: GuardedRemoval.Side = .local)
      -> Bool
    {
      confirmed.action(className, on: side, removing: ids, of: 40, removedToday: 0) == .pass
    }
    #expect(passes(ids))
    #expect(passes(ids.reversed()))
    #expect(!passes(ids + ["r30"]))
    #expect(!passes(Array(ids.dropLast()) + ["r99"]))
    #expect(!passes(ids, "League"))
    #expect(!passes(ids, "Game", .server))
  }

  @Test func `removals that are held stay held though the class grows`() {
    let ids = (0..<30).map { "r\($0)" }
    func passes(_ count: Int, whenHeld: Int?, _ limit: RemovalLimit = RemovalLimit()) -> Bool {
      DeleteGuard(limit: limit).action(
        "Game", on: .server, removing: ids.prefix(count), of: 1_000, whenHeld: whenHeld,
        removedToday: 0) == .pass
    }
    #expect(passes(30, whenHeld: nil))
    #expect(!passes(30, whenHeld: 40))
    #expect(!passes(20, whenHeld: 20))
    // The app took enough of them back, or allows more.
    #expect(passes(20, whenHeld: 40))
    #expect(passes(30, whenHeld: 40, RemovalLimit(share: 0.75, count: 20)))
  }

  @Test func `the tally of removals restarts each day`() {
    let tally = RemovalTally(day: 3, local: 5, server: 2)
    #expect(tally.on(3) == tally)
    #expect(tally.on(4) == RemovalTally(day: 4))
  }
}
