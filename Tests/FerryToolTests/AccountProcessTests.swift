// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

/// `ferry login`, `logout` and `whoami`, and the commands that work as the user.
@Suite(.timeLimit(.minutes(10)))
struct AccountProcessTests {
  private static let classes =
    #"{ "Note": { "fields": { "text": { "type": "String" } }, "access": "creator" } }"#

  private func world() throws -> ToolWorld {
    let world = try ToolWorld()
    try world.configure(classes: Self.classes)
    try world.folder.write(" two words \n", to: "password")
    return world
  }

  @Test func `a user signs up, syncs, logs out and in again`() async throws {
    let world = try world()
    #expect(try await world.ferry("whoami").code == 77)
    let signUp = try await world.ferry(
      "login", "anna", "--password-file", "password", "--sign-up", "--email", "a@example.com")
    #expect(signUp.code == 0, "\(signUp.errors)")
    let mode = try FileManager.default.attributesOfItem(atPath: world.path("credentials.json"))
    #expect((mode[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try await world.ferry("sync").code == 0)
    try await world.sql("INSERT INTO Note (text) VALUES ('private');")
    #expect(try await world.ferry("sync").code == 0)
    let list = try #require(world.records(of: "Note").first?["ACL"]?.object)
    #expect(list.count == 1 && list["*"] == nil)

    #expect(try await world.ferry("logout").code == 0)
    #expect(try await world.ferry("whoami", "--offline").code == 77)
    #expect(try await world.ferry("sync").code == 77)
    try world.folder.write("two words", to: "trimmed")
    #expect(
      try await world.ferry("login", "anna", "--password-file", "trimmed", "--json").lastName
        == "wrong-password")
    #expect(try await world.ferry("login", "anna", "--password-file", "password").code == 0)
    #expect(try await world.ferry("whoami").output.hasPrefix("anna ("))
    #expect(try await world.ferry("sync").code == 0)
  }

  @Test(arguments: ["keep", "discard"])
  func `a logout asks what becomes of unsent changes`(choice: String) async throws {
    let world = try world()
    try await world.ferry("login", "anna", "--password-file", "password", "--sign-up")
    try await world.ferry("sync")
    try await world.sql("INSERT INTO Note (text) VALUES ('unsent');")
    let refused = try await world.ferry("logout")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("has 1 unsent change"), "\(refused.errors)")
    #expect(refused.errors.contains("--unsent keep"))
    #expect(try await world.ferry("whoami").code == 0)

    // A log-out that fails changes nothing.
    world.server.setFault { _ in .respond(LoopbackResponse(status: 503, json: [:])) }
    #expect(try await world.ferry("logout", "--unsent", choice).code == 75)
    world.server.setFault(nil)
    #expect(try await world.ferry("whoami").code == 0)
    let kept = try await world.ferry("outbox").output
    #expect(!kept.contains("Nothing is unsent"))

    #expect(try await world.ferry("logout", "--unsent", choice).code == 0)
    try await world.ferry("login", "anna", "--password-file", "password")
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.records(of: "Note").count == (choice == "keep" ? 1 : 0))
  }

  @Test func `another user cannot log in beside a store`() async throws {
    let world = try world()
    try await world.ferry("login", "anna", "--password-file", "password", "--sign-up")
    try await world.ferry("sync")
    try await world.sql("INSERT INTO Note (text) VALUES ('anna''s');")
    try await world.ferry("logout", "--unsent", "keep")
    let bert = try await world.ferry("login", "bert", "--password-file", "password", "--sign-up")
    #expect(bert.code == 77)
    #expect(bert.errors.contains("belongs to another user"), "\(bert.errors)")
    #expect(try await world.ferry("whoami", "--offline").code == 77)
    #expect(world.records(of: "_Session").isEmpty)
    try await world.ferry("login", "anna", "--password-file", "password")
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.records(of: "Note").count == 1)
  }

  @Test func `the token is sent to no other server`() async throws {
    let (world, other) = (try world(), try self.world())
    try await world.ferry("login", "anna", "--password-file", "password", "--sign-up")
    try world.configure(server: other.server.url, classes: Self.classes)
    for command in ["sync", "doctor", "whoami", "logout"] {
      let result = try await world.ferry(command)
      #expect(result.code == 78, "\(command): \(result.errors)")
    }
    #expect(other.server.requestCount == 0)
  }

  @Test func `an anonymous user stays the same in a folder`() async throws {
    let world = try world()
    let first = try await world.ferry("login", "--anonymous")
    #expect(first.code == 0, "\(first.errors)")
    try await world.ferry("logout")
    #expect(try await world.ferry("login", "--anonymous").output == first.output)
    #expect(try await world.ferry("sync").code == 0)

    // The server ends the session; the next sync logs in anew, and sends what is unsent.
    try await world.sql("INSERT INTO Note (text) VALUES ('mine');")
    let token = try #require(world.records(of: "_Session").first?["sessionToken"]?.string)
    let request = LoopbackRequest(
      "POST", "/parse/logout",
      headers: ["X-Parse-Application-Id": "app1", "X-Parse-Session-Token": token], json: [:])
    _ = world.server.withBackend { $0.answer(request) }
    let sync = try await world.ferry("sync")
    #expect(sync.code == 0, "\(sync.errors)")
    #expect(world.records(of: "Note").count == 1)

    let named = try await world.ferry("login", "carl", "--password-file", "password", "--sign-up")
    #expect(named.code == 0, "\(named.errors)")
    let id = first.output.split(separator: "(").last?.prefix { $0 != ")" }
    #expect(named.output.contains("carl (\(id ?? "?"))"))
    #expect(try await world.ferry("sync").code == 0)
  }

  @Test func `credentials follow a server that has moved`() async throws {
    let world = try world()
    try await world.ferry("login", "--anonymous")
    try await world.ferry("sync")
    try await world.sql("INSERT INTO Note (text) VALUES ('mine');")
    try await world.ferry("sync")
    let user = try await world.ferry("whoami").output
    // The same server by another address.
    try world.configure(
      server: world.server.url.replacing("127.0.0.1", with: "localhost"), classes: Self.classes)
    let refused = try await world.ferry("sync")
    #expect(refused.code == 78)
    #expect(refused.errors.contains("--adopt moved-server"), "\(refused.errors)")
    let moved = try await world.ferry("sync", "--adopt", "moved-server")
    #expect(moved.code == 0, "\(moved.errors)")
    #expect(try await world.ferry("whoami").output == user)
    #expect(try await world.ferry("sync").code == 0)
  }

  @Test func `the terminal shows no password, and the prompt can be stopped`() async throws {
    let world = try world()
    try await world.ferry("login", "anna", "--password-file", "password", "--sign-up")
    try await world.ferry("logout")
    let typed = try await world.shell(
      #"(sleep 1; printf ' two words \n') | script -qec '"$FERRY" login anna' /dev/null"#)
    #expect(typed.output.contains("Password of anna:"))
    #expect(typed.output.contains("is logged in"), "\(typed.output)")
    #expect(!typed.output.contains("two words"))
    try await world.ferry("logout")
    let stopped = try await world.shell(
      #"(sleep 1; printf '\003'; sleep 1) | script -qec 'trap : INT; "$FERRY" login anna; stty -a' /dev/null"#
    )
    #expect(stopped.output.contains("Nothing was sent"), "\(stopped.output)")
    #expect(stopped.output.contains(" echo "))
    #expect(try await world.ferry("whoami", "--offline").code == 77)
  }

  @Test func `command lines that say too little or too much send nothing`() async throws {
    let world = try world()
    for arguments in [
      ["login"], ["login", "anna", "--anonymous"], ["login", "anna"],
      ["login", "anna", "--password-file", "password", "--email", "a@example.com"],
      ["logout", "--unsent", "sell"],
    ] {
      let result = try await FerryProcess(arguments, in: world.folder.url).result()
      #expect(result.code == 64, "\(arguments): \(result.errors)")
    }
    for (name, code) in [("missing", 78), ("empty", 78)] {
      try world.folder.write("", to: "empty")
      #expect(try await world.ferry("login", "anna", "--password-file", name).code == Int32(code))
    }
    try world.configure(extra: #""sessionTokenFile": "token","#, classes: Self.classes)
    #expect(try await world.ferry("whoami").code == 78)
    #expect(world.server.requestCount == 0)
  }
}

extension FerryProcess.Result {
  /// The name of the error with which the command ended, of its JSON; nil without one.
  fileprivate var lastName: String? { lastMessage?["name"] as? String }
}
