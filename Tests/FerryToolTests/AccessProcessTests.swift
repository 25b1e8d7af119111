// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// The access lists of new records, with the tool over a store that an app and SQL write to.
@Suite(.timeLimit(.minutes(10)))
struct AccessProcessTests {
  private static let classes = """
    { "Note": { "fields": { "text": { "type": "String" } }, "access": "creator" },
      "Post": { "fields": { "title": { "type": "String" } },
        "access": { "creator": { "read": true, "write": true }, "*": { "read": true } } } }
    """

  @Test func `rows that belong to their creator wait for a login, also those of plain SQL`()
    async throws
  {
    let world = try ToolWorld()
    try world.configure(classes: Self.classes)
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql(
      "INSERT INTO Note (text) VALUES ('by SQL'); INSERT INTO Post (title) VALUES ('x');")
    let nobody = try await world.ferry("sync", "--json")
    #expect(nobody.code == 3, "\(nobody.errors)")
    #expect(nobody.output.contains(#""code":"login-needed""#))
    #expect(try list(of: "Note", in: world).isEmpty)
    let outbox = try await world.ferry("outbox")
    #expect(outbox.output.contains("log"), "\(outbox.output)")
    let plan = try await world.ferry("plan", "--exit-code")
    #expect(plan.code == 3, "\(plan.output)")

    let user = try world.signUp("anna")
    try world.configure(extra: "\"sessionTokenFile\": \"token\",", classes: Self.classes)
    try world.folder.write(user.token, to: "token")
    let sent = try await world.ferry("sync", "--adopt", "anonymous-data")
    #expect(sent.code == 0, "\(sent.errors)")
    let own: LoopbackValue = ["read": true, "write": true]
    #expect(try list(of: "Note", in: world) == [[user.objectID: own]])
    #expect(try list(of: "Post", in: world) == [[user.objectID: own, "*": ["read": true]]])
    #expect(try await world.ferry("sync").code == 0)
    let kept = try await world.store().read { try $0.records(of: "Note").map(\.acl) }
    #expect(kept == [[user.objectID: ["read": true, "write": true]]])
  }

  @Test(arguments: [#""owner""#, #"{ "*": "read" }"#, #"{ "creator": { "read": true } }"#])
  func `an access list of another form names its place in ferry json`(text: String) async throws {
    let world = try ToolWorld()
    try world.configure(classes: #"{ "Note": { "fields": {}, "access": \#(text) } }"#)
    let result = try await world.ferry("status")
    #expect(result.code == 78)
    #expect(
      result.errors.contains("access is neither \"creator\" nor an access list"), "\(result.errors)"
    )
  }

  @Test func `an access list that names nobody is refused with its class`() async throws {
    let world = try ToolWorld()
    try world.configure(classes: #"{ "Note": { "fields": {}, "access": {} } }"#)
    let result = try await world.ferry("sync")
    #expect(result.code == 78)
    #expect(
      result.errors.contains("New records of Note") && result.errors.contains("names nobody"),
      "\(result.errors)")
  }

  /// The access lists of a class's records on the server.
  private func list(of className: String, in world: ToolWorld) throws -> [LoopbackValue] {
    world.records(of: className).compactMap { $0["ACL"] }
  }
}
