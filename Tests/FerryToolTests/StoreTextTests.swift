// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import Testing

@testable import FerryPlanning
@testable import FerryTool

@Suite(.timeLimit(.minutes(10)))
struct StoreTextTests {
  private func entry(
    _ kind: OutboxEntry.Kind, _ state: OutboxEntry.State, localID: Int64, fields: Set<String> = []
  ) -> OutboxEntry {
    var entry = OutboxEntry(
      className: "Game", localID: LocalID(rawValue: localID),
      objectID: kind == .create ? "0123456789abcdef0123" : "id\(localID)", kind: kind,
      foldedThrough: .start)
    entry.enter(state)
    entry.changed = fields
    return entry
  }

  private var changes: [PendingChange] { entries.compactMap { PendingChange($0) } }

  private var entries: [OutboxEntry] {
    let refusal = Refusal(
      reason: .refused, code: 142, message: "The server refused it: title is required.")
    let waiting = Waiting(className: "League", localID: LocalID(rawValue: 9), field: "league")
    var failed = entry(.update, .ready, localID: 6, fields: ["score"])
    for _ in 0..<2 { failed.failures.add(isShared: false, at: Timestamp(milliseconds: 0)) }
    return [
      entry(.create, .ready, localID: 1, fields: ["title", "score"]),
      entry(.update, .parked(refusal), localID: 2, fields: ["title"]),
      entry(.create, .blocked(by: .record(waiting)), localID: 3, fields: ["league"]),
      entry(.delete, .sending, localID: 4), entry(.deleteAfterCreate, .inDoubt, localID: 5), failed,
      entry(.update, .confirming, localID: 7),
    ]
  }

  private var quarantined: [QuarantinedRecord] {
    (1...12).map { number in
      QuarantinedRecord(
        className: "Game", objectID: "bad\(number)", version: nil, createdAt: nil, raw: "{}",
        reason: "Its field score is not of type Number but a text.", schemaFingerprint: "")
    }
  }

  @Test func `the outbox text names each unsent change and its reason to wait`() throws {
    let lines = changes.map { OutboxLine(change: $0) }
    try Snapshot.expect(
      (lines.map(\.text) + lines.map(\.json.line)).joined(separator: "\n"), is: "store/outbox")
  }

  @Test func `the status text counts rows and unsent changes`() throws {
    let game = StoreStatus.Class(
      "Game", rows: 12_345, changes: changes, quarantined: quarantined,
      held: [
        GuardedRemoval(
          className: "Game", side: .local, count: 30, total: 40, confirmation: "Game-local-30-3f2a"),
        GuardedRemoval(
          className: "Game", side: .server, count: 2, total: 6, confirmation: "Game-server-2-77b1"),
      ],
      isInitialSyncDone: true, listedThrough: Timestamp("2026-03-01T18:30:00.250Z"))
    let league = StoreStatus.Class(
      "League", rows: 0, changes: [], quarantined: [], held: [],
      failure: "League could not be downloaded. The server's answer cannot be read.",
      isInitialSyncDone: false, listedThrough: nil)
    #expect((game.creates, game.updates, game.deletes) == (1, 1, 0))
    #expect((game.parked, game.blocked, game.inDoubt, game.held) == (1, 1, 2, 32))
    #expect(game.unsent == [.create: 2, .update: 2, .delete: 1, .deleteAfterCreate: 1])
    var status = StoreStatus(
      server: "https://parse.example.com/1", applicationID: "demo", isStoreThere: true,
      classes: [league, game])
    let text = status.lines(width: nil) + [status.json.line]
    try Snapshot.expect(text.joined(separator: "\n"), is: "store/status")
    try Snapshot.expect(
      status.lines(width: 20).joined(separator: "\n"), is: "store/status-20-columns")
    status.isStoreThere = false
    #expect(status.lines(width: nil).last?.contains("ferry sync") == true)
  }

  @Test func `the staging text lists staged pages`() throws {
    let folder = URL(filePath: "/games/staging/Game", directoryHint: .isDirectory)
    let summary = StagedSummary(
      download: StagedDownload(
        className: "Game", isComplete: false, folder: folder,
        pages: [
          .init(file: folder.appending(path: "page-000001.json"), records: 1000, bytes: 512_000)
        ]))
    try Snapshot.expect(
      (summary.lines + [summary.json.line]).joined(separator: "\n"), is: "store/staging")
  }

  @Test(arguments: [1, 2, 5, 9, 10, 50])
  func `the history text shows the newest changes, oldest first`(count: Int) throws {
    let folder = try TemporaryFolder()
    let schema = Schema {
      Entity("Game") { Field("title", .text) }
      Entity("League") { Field("name", .text) }
    }
    let store = try SQLiteStore(at: folder.url.appending(path: "store.sqlite"), schema: schema)
    for number in 1...10 {
      _ = try store.write { try $0.insert("Game", ["title": .string("\(number)")]) }
    }
    for _ in 1...200 { _ = try store.write { try $0.insert("League", [:]) } }
    let newest = try store.read {
      try $0.newestChanges(count, matching: HistoryFilter(classNames: ["Game"]))
    }
    #expect(
      newest.map(\.localIDs.lowerBound.rawValue) == Array((1...10).suffix(count).map(Int64.init)))
    let all = try store.read { try $0.newestChanges(count, matching: HistoryFilter()) }
    #expect(all.last?.className == "League")
    #expect(all.count == min(count, 210))
    let none = HistoryFilter(classNames: [])
    #expect(try store.read { try $0.newestChanges(count, matching: none) }.isEmpty)
  }

  @Test func `the text of a change fits one line`() {
    let rows = LocalID(rawValue: 3)...LocalID(rawValue: 9)
    let change = Change(
      token: HistoryToken(rawValue: 17), className: "Game", localIDs: rows, kind: .update,
      fields: ["title", "score"], author: .sync)
    let line = HistoryLine(change: change)
    #expect(line.text == "17  -  Game  #3-9  update  by sync  score, title")
    #expect(
      line.json.line
        == #"{"message_type":"change","token":17,"class":"Game","first_local_id":3,"#
        + #""last_local_id":9,"kind":"update","author":"sync","fields":["score","title"]}"#)
  }
}
