// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryPlanning
import FerryStore
import FerryTestSupport
import Foundation
import Testing

@testable import FerryEngine

/// A record at which the server fails for ever keeps no other record from the server.
struct PoisonTests {
  private enum Failure: CaseIterable {
    /// The server process dies of the request, or a proxy gives up.
    case connectionLost
    /// A trigger throws something that is no refusal.
    case serverError

    var fault: TestNetwork.Fault {
      switch self {
      case .connectionLost: .requestLost
      case .serverError:
        .answered(
          HTTPResponse(
            status: 500, body: Data(#"{"code":1,"message":"Internal server error."}"#.utf8)))
      }
    }
  }

  private static func poisoned(_ failure: Failure) -> @Sendable (HTTPRequest) -> TestNetwork.Fault?
  {
    { request in
      request.isWrite && request.body.contains("poison") ? failure.fault : nil
    }
  }

  /// The changes that have something left to send.
  private func unsent(on bench: StageBench) throws -> [OutboxEntry] {
    try bench.pending().filter { $0.state != .confirming }
  }

  @Test(arguments: StageBench.Place.all, Failure.allCases)
  private func `a poisoned edit delays the others by one sync`(
    _ place: StageBench.Place, _ failure: Failure
  ) throws {
    let bench = try StageBench(place)
    let ids = try bench.createGames(60)
    try bench.pull()
    for (number, id) in ids.enumerated() {
      try bench.edit(id, ["title": number == 7 ? "poison" : "edited"])
    }
    bench.network.setFault(Self.poisoned(failure))
    try bench.sync()
    try bench.sync()
    #expect(try unsent(on: bench).map(\.objectID) == [ids[7]])
  }

  @Test(arguments: StageBench.Place.all, Failure.allCases)
  private func `a poisoned create delays the others by one sync`(
    _ place: StageBench.Place, _ failure: Failure
  ) throws {
    let bench = try StageBench(place)
    try bench.store.write { db in
      for number in 0..<60 {
        try db.insert("Game", ["title": number == 7 ? "poison" : "new"])
      }
    }
    bench.network.setFault(Self.poisoned(failure))
    try bench.sync()
    // Only then is it certain that the lost creates will not arrive any more.
    bench.wait(.seconds(200))
    try bench.sync()
    #expect(try unsent(on: bench).count == 1)
    #expect(try bench.server.count(of: "Game") == 59)
  }

  @Test func `no create follows those under way once the session has ended`() throws {
    let bench = try StageBench(StageBench.Kind.memory)
    // The first create alone finds out which ids the server takes.
    try bench.store.write { _ = try $0.insert("Game", ["title": "First"]) }
    try bench.sync()
    try bench.store.write { transaction in
      for _ in 0..<400 { try transaction.insert("Game", ["title": "New"]) }
    }
    bench.network.setFault { request in
      request.isWrite
        ? .answered(
          HTTPResponse(
            status: 400, body: Data(#"{"code":209,"error":"Invalid session token"}"#.utf8)))
        : nil
    }
    bench.network.forget()
    #expect(throws: SyncError.self) { try bench.sync() }
    let writes = bench.network.exchanges.count { $0.request.isWrite }
    #expect(writes == SyncOptions().batchesInFlight)
  }

  @Test(arguments: StageBench.Place.all)
  func `attempts at a poisoned edit become rarer, and the store knows when the next is due`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place)
    let id = try #require(try bench.createGames(1).first)
    try bench.pull()
    try bench.edit(id, ["title": "poison"])
    bench.network.setFault(Self.poisoned(.connectionLost))
    for _ in 0..<5 {
      #expect(try bench.nextSync() == bench.now)
      try bench.sync()
    }
    // Only a look-up shows that the fifth attempt failed, too.
    #expect(try bench.nextSync() == bench.now)
    bench.network.forget()
    try bench.sync()
    let end = try #require(try bench.nextSync())
    #expect(end >= bench.now.adding(.milliseconds(500)) && end <= bench.now.adding(.seconds(1)))
    #expect(bench.network.exchanges.allSatisfy { !$0.request.isWrite })
    #expect(try bench.pending().first?.state == .blocked(by: .backOff(until: end)))
    bench.wait(.seconds(1))
    try bench.sync()
    #expect(bench.network.exchanges.contains { $0.request.isWrite })
    try bench.sync()
    let next = try #require(try bench.nextSync())
    #expect(next >= bench.now.adding(.seconds(2)) && next <= bench.now.adding(.seconds(4)))
    try bench.edit(id, ["title": "cured"])
    #expect(try bench.nextSync() == bench.now)
    try bench.sync()
    #expect(try unsent(on: bench).isEmpty)
  }

  /// A program that syncs whenever one is due would otherwise send requests without end.
  @Test(arguments: StageBench.Place.all)
  func `no sync is due for changes that wait for a parked record`(
    _ place: StageBench.Place
  ) throws {
    let bench = try StageBench(place)
    let league = try bench.store.write { db in
      let league = try db.insert("League", ["name": "poison"])
      try db.insert("Game", ["title": "New", "league": .pointer(league)])
      return league
    }
    bench.network.setFault { request in
      request.isWrite && request.body.contains("poison")
        ? .answered(HTTPResponse(status: 400, body: Data(#"{"code":142,"error":"no"}"#.utf8)))
        : nil
    }
    #expect(try bench.nextSync() == bench.now)
    try bench.sync()
    let states = try bench.pending().map(\.state.isWaitingForEdit)
    #expect(states == [true, true])
    #expect(try bench.nextSync() == nil)
    try bench.store.write { db in
      try db.update("League", league.localID, ["name": "North"])
    }
    #expect(try bench.nextSync() == bench.now)
    try bench.sync()
    #expect(try unsent(on: bench).isEmpty)
  }

  /// The record is on the server since, so that only the next sync is missing.
  @Test func `a sync is due for a change whose awaited record is there`() throws {
    let bench = try StageBench()
    let league = try bench.store.write { db in
      let league = try db.insert("League", ["name": "North"])
      try db.insert("Game", ["title": "New", "league": .pointer(league)])
      return league
    }
    try bench.store.sync(.full) { transaction throws(StoreError) in
      try transaction.fold()
      guard
        var entry = try transaction.outbox(of: "Game").first,
        let parent = try transaction.outbox(of: "League").first
      else { return }
      _ = entry.wait(in: .blocked(by: .record(Waiting(parent.key, field: "league"))))
      try transaction.put(entry)
      try transaction.removeOutboxEntry(of: "League", localID: league.localID)
      try transaction.bindRow(
        parent.key, from: parent.objectID, to: parent.objectID, createdAt: bench.now)
    }
    #expect(try bench.nextSync() == bench.now)
  }

  @Test func `a class that the last run left out is due a minute later`() throws {
    let bench = try StageBench()
    try bench.store.write { try $0.insert("Game", ["title": "New"]) }
    bench.network.setFault { request in
      request.isWrite
        ? nil : .answered(HTTPResponse(status: 400, body: Data(#"{"code":102,"error":"no"}"#.utf8)))
    }
    #expect(try bench.sync().outcome == .partial)
    #expect(try bench.nextSync() == bench.now.adding(.seconds(60)))
  }
}

extension StageBench {
  fileprivate func nextSync() throws -> Timestamp? {
    try store.syncRead { reader throws(StoreError) in try reader.nextSync(at: now, SyncOptions()) }
  }
}

extension OutboxEntry.State {
  /// Whether the app has to edit the record, or the one that it waits for.
  fileprivate var isWaitingForEdit: Bool {
    switch self {
    case .parked, .blocked(.record): true
    default: false
    }
  }
}

extension Data {
  fileprivate func contains(_ text: String) -> Bool { range(of: Data(text.utf8)) != nil }
}
