// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// `ferry quarantine`: the records that could not be imported.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct QuarantineProcessTests {
  /// A folder whose sync could not import two notes.
  private func refused() async throws -> (ToolWorld, [String]) {
    let world = try ToolWorld()
    let ids = try world.server.withBackend { backend throws(LoopbackError) in
      [
        try backend.create("Note", ["size": "many"]), try backend.create("Note", ["size": "few"]),
      ]
    }
    try world.configure(
      classes: """
        { "Note": { "fields": { "size": { "type": "Number" } } },
          "League": { "fields": { "name": { "type": "String" } } } }
        """)
    #expect(try await world.ferry("quarantine").output == "Nothing is in quarantine.\n")
    #expect(try await world.ferry("sync").code == 3)
    return (world, ids)
  }

  @Test func `quarantine lists the records and shows the server's JSON of one`() async throws {
    let (world, ids) = try await refused()
    let list = try await world.ferry("quarantine")
    #expect(list.code == 0, "\(list.errors)")
    for id in ids { #expect(list.output.contains("Note \(id): "), "\(list.output)") }
    #expect(
      try await world.ferry("quarantine", "list", "--class", "League").output
        == "Nothing is in quarantine.\n")
    let summary = try await world.ferry("quarantine", "--json", "--class", "Note").lastMessage
    #expect(summary?["records"] as? Int == 2)
    let shown = try await world.ferry("quarantine", "show", "--class", "Note", "--id", ids[0])
    #expect(shown.code == 0, "\(shown.errors)")
    #expect(shown.output.contains(#""size":"many""#), "\(shown.output)")
    for line in [
      "show --class Note --id x", "show --class Note", "show --id \(ids[0])", "list --all",
      "list --id \(ids[0])", "retry", "retry --all --id \(ids[0]) --class Note", "forget",
      "retry --class Note --id x", "--class Game", "show --class Game --id \(ids[0])",
    ] {
      let result = try await world.shell("\"$FERRY\" quarantine \(line)")
      #expect((result.code, result.output) == (64, ""), "\(line)")
    }
  }

  @Test func `quarantine retry lets the next sync fetch one record, or all`() async throws {
    let (world, ids) = try await refused()
    let one = try await world.ferry("quarantine", "retry", "--class", "Note", "--id", ids[0])
    #expect((one.code, one.output) == (0, "The next sync fetches 1 record again.\n"))
    let all = try await world.ferry("quarantine", "retry", "--all")
    #expect(
      all.output
        == "The next sync fetches 1 record again. 1 record is tried by the next sync in any "
        + "case, or was sent without an id.\n")
    let again = try await world.ferry("quarantine", "retry", "--all", "--json")
    #expect(again.lastMessage?["records"] as? Int == 0)
    #expect(
      try await world.ferry("quarantine", "retry", "--all", "--class", "League").output
        == "Nothing is in quarantine.\n")
    // It cannot be read still, and the sync says so.
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 3)
    let classes = sync.lastMessage?["classes"] as? [String: [String: Int]]
    #expect(classes?["Note"]?["quarantined"] == 2)
  }
}
