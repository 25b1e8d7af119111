// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryModel
import FerryStore
import FerryTestSupport
import LoopbackParse
import Randomness
import Testing

@testable import FerryEngine
@testable import FerryPlanning

/// Two devices, and the test on the server, edit the same few games at random and then come to
/// rest.
@Suite(.timeLimit(.minutes(5))) struct ConflictWorldTests {
  struct World {
    let server: TestServer
    let devices: [StageBench]
    let policies: ConflictPolicies
    var random: SeededGenerator
    /// Every value that was written; all writes differ.
    var written: Set<String> = []

    init(seed: UInt64, on kind: TestServer.Kind) throws {
      random = SeededGenerator(seed: seed)
      let server = try TestServer(kind, .init(allowsCustomIDs: seed % 2 == 0))
      self.server = server
      devices = try [StageBench.Kind.memory, .sqlite].map { try StageBench($0, server: server) }
      let choices: [ConflictPolicy] = [
        .remoteWins, .localWins, .choosingByField(["title": .local]), .resolvingFields { $0.local },
        .resolvingRecords { $0.local.only($0.fields) },
      ]
      policies = ConflictPolicies(choices[Int(seed / 2) % choices.count])
        .deletions(in: "Game", seed % 3 == 0 ? .editWins : .deleteWins)
    }

    mutating func stamp() -> String {
      let stamp = "w\(written.count)"
      written.insert(stamp)
      return stamp
    }

    mutating func act() throws {
      let device = devices[Int.random(in: 0..<2, using: &random)]
      switch Int.random(in: 0..<10, using: &random) {
      case 0, 1: _ = try device.sync(conflicts: policies)
      case 2: try actOnServer()
      default: try act(on: device)
      }
    }

    private mutating func actOnServer() throws {
      let ids = try server.rows(of: "Game").keys.sorted()
      guard let id = ids.randomElement(using: &random) else { return }
      if Int.random(in: 0..<4, using: &random) == 0 {
        try devices[0].delete("Game", [id])
      } else {
        let field = Bool.random(using: &random) ? "title" : "tags"
        let value = stamp()
        try devices[0].update(
          "Game", id, .object([field: field == "title" ? .string(value) : [.string(value)]]))
      }
    }

    private mutating func act(on device: StageBench) throws {
      let games = try device.games().values.sorted { $0.localID < $1.localID }
      let game = games.randomElement(using: &random)
      let (title, tag) = (stamp(), stamp())
      let choice = Int.random(in: 0..<6, using: &random)
      let other = games.randomElement(using: &random)
      try device.store.write { db in
        guard let game, choice > 1 else {
          try db.insert("Game", ["title": .string(title)])
          return
        }
        switch choice {
        case 2: try db.update(game.reference, ["title": .string(title)])
        case 3: try db.update(game.reference, ["title": .string(title), "tags": [.string(tag)]])
        case 4:
          guard let other else { return }
          try db.update(game.reference, ["previous": .pointer(other.reference)])
        default: try db.delete(game.reference)
        }
      }
    }

    /// Syncs until nothing is left, and confirms the removals that a sync held back.
    func comeToRest() throws {
      var held = Set<String>()
      for _ in 0..<3 {
        for device in devices {
          let report = try device.sync(conflicts: policies, confirming: held)
          held.formUnion(report.guarded.map(\.confirmation))
        }
      }
    }

    /// The rows of a device, or of the server, as text that can be compared.
    func view(_ device: StageBench?) throws -> [String: String] {
      guard let device else {
        return try server.rows(of: "Game").mapValues { row in
          "\(row["title"]?.string ?? "-") \(row["tags"]?.array?.first?.string ?? "-") "
            + "\(row["previous"]?["objectId"]?.string ?? "-")"
        }
      }
      return try device.games().mapValues { row in
        "\(row["title"].text ?? "-") \(row["tags"].first?.text ?? "-") "
          + "\(row["previous"].pointers.first?.objectID ?? "-")"
      }
    }
  }

  @Test(arguments: TestServer.Kind.seeds(16, onReal: 6))
  func `devices and server agree in the end, whatever happens`(
    on kind: TestServer.Kind, seed: UInt64
  ) throws {
    var world = try World(seed: seed, on: kind)
    for _ in 0..<60 { try world.act() }
    try world.comeToRest()
    let there = try world.view(nil)
    for device in world.devices {
      let pending = try device.pending()
      #expect(pending == [], "seed \(seed)")
      #expect(try world.view(device) == there, "seed \(seed)")
    }
    // Nobody's value appears unless it was written.
    for text in there.values {
      for word in text.split(separator: " ").prefix(2) where word != "-" {
        #expect(world.written.contains(String(word)), "seed \(seed): \(word)")
      }
    }
  }
}

extension Value {
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var first: Value? { if case .array(let values) = self { values.first } else { nil } }
}
