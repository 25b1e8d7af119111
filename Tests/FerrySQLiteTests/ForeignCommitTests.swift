// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Synchronization
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

  @Test func `a list sorts what another program wrote as the query does`() throws {
    let noon = Value.date(Timestamp(milliseconds: 1_764_158_400_000))
    var watchers = [
      Query(
        "Game", where: .field("playedAt", .greaterThan, noon), orderedBy: .ascending("playedAt")),
      Query("Game", orderedBy: .descending("playedAt"), .ascending("title")),
      Query("Game", orderedBy: .ascending("title")),
      Query("Game", orderedBy: .descending("isOpen")),
      Query("Game", where: .field("isOpen", .equal, true), orderedBy: .ascending("score")),
    ].map(QueryWatcher.init)
    func check(_ comment: Comment) throws {
      for index in watchers.indices { try watchers[index].check(world.store, comment) }
    }
    try check("an empty table")
    for (title, playedAt, isOpen) in [
      ("'b'", "'2025-11-26T13:00:00.000Z'", "1"), ("'a'", "'2025-11-26 20:00:00'", "2"),
      ("'c'", "'2025-11-26T11:00:00.000Z'", "0"), ("CAST(X'ff61' AS TEXT)", "NULL", "1"),
      ("'d'", "'2025-11-26T13:00:00.000Z'", "NULL"), ("NULL", "'yesterday'", "1"),
    ] {
      try world.foreign(
        "INSERT INTO Game (title, playedAt, isOpen) VALUES (\(title), \(playedAt), \(isOpen))")
      try check("\(title), \(playedAt), \(isOpen)")
    }
    try world.foreign("UPDATE Game SET title = 'e' WHERE title = 'b'")
    try check("a new title")
    try world.foreign("DELETE FROM Game WHERE playedAt < '2025-11-26T'")
    try check("a row is gone")
    try world.foreign("ALTER TABLE Game ADD COLUMN own TEXT", "UPDATE Game SET score = 7")
    try check("a column of the app's own")
  }

  @Test func `a list follows a store that goes back to a backup in place`() throws {
    var watcher = QueryWatcher(Query("League"))
    try world.foreign("INSERT INTO League (name) VALUES ('North')")
    try watcher.check(world.store, "a row")
    let backup = world.folder.url.appending(path: "backup.sqlite").path(percentEncoded: false)
    try world.foreign(".backup '\(backup)'\nSELECT 1")
    try world.foreign("INSERT INTO League (name) VALUES ('South')")
    try watcher.check(world.store, "another row")
    try world.foreign(".restore '\(backup)'\nSELECT 1")
    try watcher.check(world.store, "the backup is back")
    try world.foreign("INSERT INTO League (name) VALUES ('East')")
    try watcher.check(world.store, "a row after that")
  }

  @Test func `the store's own commits are not those of another`() throws {
    let seen = Mutex(0)
    let foreign = try #require(
      try ForeignCommits(path: world.store.files.database, writer: world.store.writer) {
        seen.withLock { $0 += 1 }
      })
    for _ in 1...20 {
      try world.store.write { try $0.insert("Game", [:]) }
      Thread.sleep(forTimeInterval: 0.02)
    }
    // The system may report a write while the store still holds the lock, and then its owner is unknown.
    #expect(seen.withLock { $0 } < 5)
    let before = seen.withLock { $0 }
    try world.foreign("INSERT INTO League (name) VALUES ('North')")
    let end = ContinuousClock.now + .seconds(5)
    while seen.withLock({ $0 }) == before, .now < end { Thread.sleep(forTimeInterval: 0.001) }
    #expect(seen.withLock { $0 } > before)
    withExtendedLifetime(foreign) {}
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
