// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Commits of other programs reach the listeners of a store that nobody uses meanwhile.
@Suite(.timeLimit(.minutes(2)))
struct ForeignCommitTests {
  private let world: TestWorld

  init() throws { world = try TestWorld() }

  @Test func `an observation sees what the sqlite3 shell commits`() async throws {
    var lists = world.store.observe(Query("League")).makeAsyncIterator()
    #expect(try await lists.next()?.isEmpty == true)
    try world.foreign("INSERT INTO League (name) VALUES ('North')")
    #expect(try await lists.next()?.map { $0["name"] } == ["North"])
    try world.foreign("UPDATE League SET name = 'South'")
    #expect(try await lists.next()?.map { $0["name"] } == ["South"])
  }

  @Test func `an observation sees what another program's sync gives a row`() async throws {
    let other = try world.reopened()
    let league = try await world.store.write { try $0.insert("League", ["name": "North"]) }
    var lists = world.store.observe(Query("League")).makeAsyncIterator()
    #expect(try await lists.next()?.count == 1)
    try other.sync(.full) { transaction in
      try transaction.bindRow(
        RecordKey(className: "League", localID: league.localID), from: league.objectID,
        to: "server1", createdAt: .earliest)
    }
    #expect(try await lists.next()?.first?.objectID == "server1")
  }

  @Test func `listeners of changes hear of another program's commit`() async throws {
    var changes = world.store.changes.makeAsyncIterator()
    try world.foreign("INSERT INTO League (name) VALUES ('North')")
    let change = await changes.next()
    #expect(change?.classNames == ["League"])
    #expect(change?.authors == [.app])
  }

  /// Each commit waits for the one before it to be seen, so a lost signal would end the test by its time.
  @Test func `a commit of another program is seen soon`() async throws {
    let other = try world.reopened()
    var lists = world.store.observe { try $0.count(of: "Game") }.makeAsyncIterator()
    #expect(try await lists.next() == 0)
    var waits: [Duration] = []
    for number in 1...50 {
      try await other.write { try $0.insert("Game", [:]) }
      let committed = ContinuousClock.now
      #expect(try await lists.next() == number)
      waits.append(committed.duration(to: .now))
    }
    let median = waits.sorted()[waits.count / 2]
    #expect(median < .milliseconds(100), "\(waits)")
  }
}
