// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryTestSupport
import LoopbackParse
import Testing

/// Ferry and Parse's own JavaScript SDK work on one server and see the same.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(
    if: RealServer.script != nil && RealServer.modules != nil,
    "Parse's JavaScript SDK is not installed: Tools/RealServer/start says why."))
struct ForeignClientTests {
  @Test(arguments: ForeignWorld.Kind.allCases)
  func `an app of another make and Ferry agree`(kind: ForeignWorld.Kind) async throws {
    try await ForeignWorld.with(kind) { world in
      let sync = ForeignSync(world: world, device: try world.device(), app: try world.app())
      try await sync.theAppCreates()
      try await sync.theAppEdits()
      try await sync.weEditAndCreate()
      try await sync.bytesCannotBeChanged()
      try await sync.bothEditOneRecord()
      try await sync.filesGoBothWays()
      try await sync.bothDelete()
    }
  }

  @Test(arguments: ForeignWorld.Kind.allCases)
  func `each user sees what is theirs, in both apps`(kind: ForeignWorld.Kind) async throws {
    try await ForeignWorld.with(kind) { world in
      let (annasApp, bertsApp) = (try world.app(), try world.app())
      let anna = try await annasApp.signUp("anna")
      let bert = try await bertsApp.signUp("bert")
      let own = { (id: String) -> LoopbackValue in [id: ["read": true, "write": true]] }
      try await annasApp.save("Player", nil, ["name": "anna's", "ACL": own(anna.objectID)])
      let berts = try await bertsApp.save(
        "Player", nil, ["name": "bert's", "ACL": own(bert.objectID)])
      let shared = try await bertsApp.save(
        "Player", nil,
        [
          "name": "shared",
          "ACL": [
            bert.objectID: ["read": true, "write": true], anna.objectID: ["read": true],
          ],
        ])
      let open = try await bertsApp.save("Player", nil, ["name": "everybody's"])
      let device = try world.device(token: anna.token)
      try await world.expectAgreement(device, annasApp)
      #expect(try device.players() == ["anna's", "everybody's", "shared"])

      // A record that one user shares with another arrives, and leaves when the sharing ends.
      let both: LoopbackValue = [
        bert.objectID: ["read": true, "write": true], anna.objectID: ["read": true, "write": true],
      ]
      try await bertsApp.save("Player", berts["objectId"]?.string, ["ACL": both])
      try await bertsApp.save("Player", open["objectId"]?.string, ["ACL": own(bert.objectID)])
      try await world.expectAgreement(device, annasApp)
      #expect(try device.players() == ["anna's", "bert's", "shared"])

      try device.edit("Player", "bert's", ["name": "ours"])
      try device.edit("Player", "anna's", ["name": "anna's own"])
      try await world.expectAgreement(device, annasApp)
      let seen = try await bertsApp.rows(of: "Player").values.compactMap { $0["name"]?.string }
      #expect(seen.sorted() == ["everybody's", "ours", "shared"])

      // The server refuses writes to a read-only record to both.
      try device.edit("Player", "shared", ["name": "taken"])
      let report = try await device.sync()
      #expect(report.classes["Player"]?.parked == 1)
      await #expect(throws: LoopbackError.self) {
        try await annasApp.save("Player", shared["objectId"]?.string, ["name": "taken"])
      }
      try await annasApp.tell("logOut")
      try await bertsApp.tell("logOut")
    }
  }
}

extension Device {
  fileprivate func players() throws -> [String] {
    try store.read { db in
      try db.records(of: "Player").compactMap { row in
        if case .string(let name) = row["name"] { name } else { nil }
      }.sorted()
    }
  }
}
