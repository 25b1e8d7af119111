// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerrySQLite

/// Readers of history in a store whose file goes back to a backup while they read.
@Suite(.timeLimit(.minutes(1)))
struct RestoredHistoryTests {
  private let world: TestWorld
  private var store: SQLiteStore { world.store }
  private var backup: String {
    world.folder.url.appending(path: "backup.sqlite").path(percentEncoded: false)
  }

  /// A backup with one game, and a store with three.
  init() throws {
    world = try TestWorld()
    try insertGame()
    _ = try world.foreign(".backup '\(backup)'\nSELECT 1")
    for _ in 0..<2 { try insertGame() }
  }

  private func insertGame() throws { try store.write { try $0.insert("Game", [:]) } }
  private func goBack() throws { _ = try world.foreign(".restore '\(backup)'\nSELECT 1") }

  @Test(arguments: [0, 1, 5])
  func `a reader that waits is told that the store went back, and starts over`(
    laterGames: Int
  ) async throws {
    let reader = store.historyReader("index")
    var pages = reader.pages().makeAsyncIterator()
    let page = try #require(try await pages.next())
    #expect(page.transactions.count == 3)
    try goBack()
    for _ in 0..<laterGames { try insertGame() }
    let error = await #expect(throws: StoreError.self) { try await pages.next() }
    #expect(error?.code == .historyPruned)
    expectStoreError(.historyPruned) { try reader.markMerged(page) }
    #expect(try await store.read { try $0.token(ofReader: "index") } == .start)
    try await reader.startOver { db in
      let count = try db.count(of: "Game")
      #expect(count == 1 + laterGames)
    }
    var further = reader.pages().makeAsyncIterator()
    try insertGame()
    #expect(try await further.next()?.transactions.count == 1)
  }

  @Test func `a reader that starts over while the store goes back keeps its position`() throws {
    let reader = store.historyReader("index")
    expectStoreError(.historyPruned) { try reader.startOver { _ in try goBack() } }
    #expect(try reader.unread().transactions.count == 1)
  }

  @Test func `listeners of changes hear that the store went back, and of each commit after that`()
    async throws
  {
    var changes = store.changes.makeAsyncIterator()
    try goBack()
    let back = await changes.next()
    #expect(back?.classNames == ["Game", "League"] && back?.authors == [.app, .sync])
    let end = try await store.read { try $0.lastToken() }
    #expect(back?.token == end)
    try await store.write { try $0.insert("League", [:]) }
    let next = await changes.next()
    #expect(next?.classNames == ["League"] && next?.token.rawValue == end.rawValue + 1)
  }
}
