// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryHTTP
import FerryTestSupport
import Foundation
import LoopbackParse
import Synchronization
import Testing

/// A proxy that cuts each answer of a sync in turn, by three bytes.
@Suite(.timeLimit(.minutes(5))) struct CutAnswersTests {
  /// A device with everything to do that a sync can have: lost answers to look up, changes on both
  /// sides, rows that are gone on the server, creates, edits and deletes to send.
  private struct Situation {
    let world: SyncWorld
    let clock = ManualClock()
    let token: String

    init(customIDs: Bool) async throws {
      world = try SyncWorld(.double, .init(allowsCustomIDs: customIDs))
      token = try world.server.signUp("ann").token
      let games = try world.server.create("Game", (0..<12).map { ["title": .string("g\($0)")] })
      try world.server.create("League", (0..<3).map { ["name": .string("l\($0)")] })
      let device = try device()
      try await device.sync()
      try edit(device, games[0], ["score": 1])
      world.network.setFault { $0.isWrite ? .answerLost : nil }
      _ = try await device.sync()
      world.network.setFault(nil)
      // It is looked up now, and once more when no late attempt can change it any more.
      _ = try await device.sync()
      clock.advance(seconds: 300)
      try await device.store.write { db in
        try db.insert("Game", ["title": "unknown"])
      }
      world.network.setFault { $0.isWrite ? .answerLost : nil }
      _ = try? await device.sync()
      world.network.setFault(nil)
      clock.advance(seconds: 300)
      try world.server.update("Game", games[1], ["score": 2])
      try world.server.delete("Game", [games[2]])
      try edit(device, games[3], ["score": 3])
      try edit(device, games[4], ["score": 4])
      try await device.store.write { db in
        for id in games[5...6] {
          guard let row = try db.record(of: "Game", objectID: id) else { continue }
          try db.delete(row.reference)
        }
        let league = try db.insert("League", ["name": "new"])
        for number in 0..<3 {
          try db.insert("Game", ["title": .string("n\(number)"), "league": .pointer(league)])
        }
      }
    }

    func device() throws -> Device {
      return try world.device(
        as: ParseServer(url: world.server.url, applicationID: "app1") { [token] in Secret(token) },
        environment: clock.environment)
    }

    private func edit(_ device: Device, _ id: String, _ fields: Fields) throws {
      try device.store.write { db in
        guard let row = try db.record(of: "Game", objectID: id) else { return }
        try db.update(row.reference, fields)
      }
    }

    /// Syncs with the answer to one request cut; whether there was one.
    func syncCutting(_ place: Int) async throws -> (isReached: Bool, error: SyncError?) {
      let count = Mutex(0)
      world.network.setFault { _ in
        count.withLock { count in
          count += 1
          return count == place ? .answerCut(3) : nil
        }
      }
      defer { world.network.setFault(nil) }
      let run = try device().coordinator.startSync()
      var error: SyncError?
      do {
        _ = try await run.report
      } catch let failure {
        error = failure
      }
      return (count.withLock { $0 >= place }, error)
    }
  }

  @Test(arguments: [true, false])
  func `a cut answer ends nothing but what it was about, and nothing is lost`(
    customIDs: Bool
  ) async throws {
    var place = 1
    while true {
      let situation = try await Situation(customIDs: customIDs)
      let (isReached, error) = try await situation.syncCutting(place)
      guard isReached else { break }
      let text = Comment(rawValue: "request \(place): \(error?.message ?? "")")
      if let error { #expect(error.code == .tryAgain, text) }
      let device = try situation.device()
      for _ in 0..<3 {
        situation.clock.advance(seconds: 300)
        try await device.sync()
      }
      #expect(try device.pending().isEmpty, text)
      let there = try situation.world.server.rows(of: "Game")
      let here = try await device.store.read { try $0.records(of: "Game") }
      #expect(Set(here.map(\.objectID)) == Set(there.keys), text)
      #expect(
        there.values.compactMap { $0["title"]?.string }.sorted()
          == ["g0", "g1", "g10", "g11", "g3", "g4", "g7", "g8", "g9", "n0", "n1", "n2", "unknown"],
        text)
      for row in here {
        #expect(row["score"].text == there[row.objectID]?["score"]?.text ?? "", text)
      }
      place += 1
    }
    // Less than this, and the situation does not ask for everything any more.
    #expect(place > 12)
  }
}

extension Value {
  fileprivate var text: String { if case .integer(let number) = self { "\(number)" } else { "" } }
}

extension LoopbackValue {
  fileprivate var text: String { number.map { "\(Int($0))" } ?? "" }
}
