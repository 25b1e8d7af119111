// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerrySQLite
import FerryStore
import Foundation
import LoopbackParse
import Testing

@testable import FerryTool

@Suite(.serialized, .timeLimit(.minutes(10)))
struct RefusalProcessTests {
  @Test func `a refused record is parked with its reason and sent once corrected`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.triggers["Game"] = LoopbackTriggers(beforeSave: { save in
      guard save.changes["title"] != "" else {
        throw LoopbackError(code: 142, message: "A game needs a title.")
      }
    })
    let world = try ToolWorld(configuration)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    let store = try world.store()
    let (bad, good) = try await store.write { db in
      (try db.insert("Game", ["title": ""]), try db.insert("Game", ["title": "Final"]))
    }
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 3, "\(sync.errors)")
    let counts = (sync.lastMessage?["classes"] as? [String: [String: Int]])?["Game"]
    #expect(counts?["parked"] == 1)
    #expect(counts?["created"] == 1)
    let outbox = try await world.ferry("outbox")
    #expect(outbox.output.contains("Game #\(bad.localID) create title: parked."))
    #expect(outbox.output.contains("A game needs a title."))
    #expect(!outbox.output.contains("#\(good.localID) "))
    try await store.write { try $0.update(bad, ["title": "Semi-final"]) }
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.server.backend.objects(of: "Game").count == 2)
    #expect(try await world.ferry("outbox").output == "Nothing is unsent.\n")
  }

  @Test func `a parked change is named, by class and record`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.triggers["Game"] = LoopbackTriggers(beforeSave: { save in
      guard save.changes["title"] != "" else {
        throw LoopbackError(code: 142, message: "A game needs a title.")
      }
    })
    let world = try ToolWorld(configuration)
    try world.fill(games: 1)
    try world.configure()
    _ = try await world.ferry("sync")
    let store = try world.store()
    let bad = try await store.write { try $0.insert("Game", ["title": ""]) }
    let sync = try await world.ferry("sync")
    #expect(sync.code == 3, "\(sync.errors)")
    #expect(sync.errors.contains("Game #\(bad.localID) is parked. "), "\(sync.errors)")
    #expect(sync.output.components(separatedBy: "parked").count == 2, "\(sync.output)")
    #expect(sync.output.contains("\"ferry status\" lists what is left, and why."))
    let status = try await world.ferry("status")
    #expect(status.output.contains("  Game #\(bad.localID) create title: The server refused "))
    let verify = try await world.ferry("verify")
    #expect(verify.code == 2)
    #expect(!verify.output.contains("--compare everything"))
    #expect(verify.output.contains("A sync leaves 1 difference;"))
    for command in ["sync", "plan --exit-code"] {
      let again = try await world.shell("\"$FERRY\" \(command)")
      #expect(again.code == 3, "\(again.errors)")
      #expect(again.output.contains("Left in Game: 1 parked."))
    }
  }

  @Test func `a parked change of a class that ferry.json leaves out blocks no other class`()
    async throws
  {
    var configuration = LoopbackConfiguration()
    configuration.triggers["Game"] = LoopbackTriggers(beforeSave: { _ in
      throw LoopbackError(code: 142, message: "Not now.")
    })
    let world = try ToolWorld(configuration)
    try world.configure()
    _ = try await world.ferry("sync")
    _ = try await world.store().write { try $0.insert("Game", ["title": "Final"]) }
    #expect(try await world.ferry("sync").code == 3)
    try world.configure(classes: #"{ "League": { "fields": { "name": { "type": "String" } } } }"#)
    for command in ["sync", "plan --exit-code"] {
      let result = try await world.shell("\"$FERRY\" \(command)")
      #expect(result.code == 3, "\(result.errors)")
      #expect(result.output.contains("Left in Game: 1 "))
    }
    let status = try await world.ferry("status")
    #expect(status.output.contains("Game is not in ferry.json, so 1 of its changes waits"))
    #expect(status.output.contains("1 change is unsent"))
  }

  @Test func `edits of a class that ferry json leaves out are told before any sync saw them`()
    async throws
  {
    let world = try ToolWorld()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    _ = try await world.store().write { try $0.insert("Game", ["title": "Final"]) }
    try world.configure(classes: #"{ "League": { "fields": { "name": { "type": "String" } } } }"#)
    for _ in 1...2 {
      for command in ["status", "outbox"] {
        let result = try await world.ferry(command)
        #expect(result.output.contains("Game is not in ferry.json, so 1 of its changes waits"))
        #expect(!result.output.contains("Nothing is unsent"))
        #expect(!result.output.contains("\"ferry outbox\""))
      }
      let asked = try await world.ferry("outbox", "--class", "Game")
      #expect(asked.code == 0)
      #expect(asked.output.contains("Game is not in ferry.json, so 1 of its changes waits"))
      let other = try await world.ferry("outbox", "--class", "League")
      #expect(other.output == "Nothing is unsent.\n")
      let sync = try await world.ferry("sync")
      #expect(sync.code == 3)
      #expect(sync.output.contains("Left in Game: 1 "))
    }
  }

  @Test(arguments: [false, true])
  func `edits of a field that ferry json leaves out are told and sent once it is back`(
    isEditedBefore: Bool
  ) async throws {
    let world = try ToolWorld()
    try world.fill(games: 1)
    let wide =
      #"{ "Game": { "fields": { "title": { "type": "String" }, "score": { "type": "Number" }, "#
      + #""note": { "type": "String" } } } }"#
    try world.configure(classes: wide)
    #expect(try await world.ferry("sync").code == 0)
    let narrow = {
      try world.configure(classes: #"{ "Game": { "fields": { "title": { "type": "String" } } } }"#)
    }
    if !isEditedBefore { try narrow() }
    _ = try await world.shell("sqlite3 store.sqlite 'UPDATE Game SET score = 81, note = 7'")
    try narrow()
    let told = "The field score of Game is not in ferry.json, so 1 of its changes waits"
    for _ in 1...2 {
      for command in ["status", "outbox", "outbox --class Game"] {
        let result = try await world.shell("\"$FERRY\" \(command)")
        #expect(result.output.contains(told), "\(command): \(result.output)")
        #expect(!result.output.contains("Nothing is unsent"))
      }
      let json = try await world.ferry("status", "--json")
      let fields = json.lastMessage?["fields_not_named"] as? [String: [String: Int]]
      #expect(fields == ["Game": ["score": 1, "note": 1]])
      let status = try await world.ferry("status")
      #expect(status.output.contains("1 change is unsent, because ferry.json leaves out its class"))
      let verify = try await world.ferry("verify")
      #expect(verify.code == 2)
      #expect(verify.output.contains(told))
      #expect(!verify.output.contains("Both sides are equal"))
      for command in ["plan --exit-code", "sync"] {
        let result = try await world.shell("\"$FERRY\" \(command)")
        #expect(result.code == 3, "\(result.errors)")
        #expect(result.output.contains("Left in Game: 1 waiting."))
      }
    }
    try world.configure(classes: wide)
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.server.backend.objects(of: "Game").first?["score"] == 81)
    #expect(try await world.ferry("status").output.contains("Nothing is unsent."))
  }

  @Test func `names that the server does not know are noticed by sync and doctor`() async throws {
    let world = try ToolWorld()
    try world.fill()
    chmod(world.folder.path, 0o700)
    try world.configure(
      classes: #"{ "Game": { "fields": { "titel": { "type": "String" } } },"#
        + #" "Legaue": { "fields": { "name": { "type": "String" } } } }"#)
    let sync = try await world.ferry("sync")
    #expect(sync.errors.contains("No imported record of Game has a value in the field titel"))
    #expect(sync.errors.contains("The server showed no record of Legaue"))
    let doctor = try await world.ferry("doctor", "--json")
    #expect(doctor.output.contains("titel (perhaps title)"))
    try world.folder.write("mk", to: "key")
    try world.configure(
      extra: "\"masterKeyFile\": \"key\",",
      classes: #"{ "Game": { "fields": { "score": { "type": "String" } } },"#
        + #" "Legaue": { "fields": { "name": { "type": "String" } } } }"#)
    let master = try await world.ferry("doctor", "--json")
    #expect(master.code == 78)
    #expect(master.output.contains("score is Number there and String here"))
    #expect(master.output.contains("Perhaps you mean League."))
  }

  @Test
  func `a class that the server does not know is named, and the others are synced`() async throws {
    var configuration = LoopbackConfiguration()
    configuration.allowClientClassCreation = false
    let world = try ToolWorld(configuration)
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("League", ["name": "North"])
    }
    try world.configure(
      classes: #"{ "League": { "fields": { "name": { "type": "String" } } },"#
        + #" "Gane": { "fields": { "title": { "type": "String" } } } }"#)
    let sync = try await world.ferry("sync", "--json")
    #expect(sync.code == 3, "\(sync.errors)")
    let classes = sync.lastMessage?["classes"] as? [String: [String: Int]]
    #expect(classes?["League"]?["imported"] == 1)
    #expect(sync.output.contains(#""code":"class-failed""#))
    #expect(sync.output.contains("Gane"))
    let plan = try await world.ferry("plan", "--exit-code")
    #expect(plan.code == 3, "\(plan.errors)")
  }

  @Test func `an ended session and a store of another user are named`() async throws {
    let world = try ToolWorld()
    try world.fill()
    let anna = try world.signUp("anna").token
    let ben = try world.signUp("ben").token
    try world.configure(extra: "\"sessionTokenFile\": \"token\",")
    try world.folder.write(anna, to: "token")
    #expect(try await world.ferry("sync").code == 0)
    try world.folder.write(ben, to: "token")
    let other = try await world.ferry("sync", "--json")
    #expect(other.code == 77)
    #expect(other.lastMessage?["name"] as? String == "other-user")
    let examined = try await world.ferry("doctor")
    #expect(examined.output.contains("problem  store"), "\(examined.output)")
    #expect(examined.output.contains("the data of another user"), "\(examined.output)")
    try world.configure()
    let nobody = try await world.ferry("sync", "--json")
    #expect(nobody.code == 77)
    #expect(nobody.lastMessage?["name"] as? String == "login-needed")
    let unnamed = try await world.ferry("doctor").output
    #expect(
      unnamed.contains("problem  store") && unnamed.contains("a user's data"), "\(unnamed)")
    try world.configure(extra: "\"sessionTokenFile\": \"token\",")
    try world.folder.write(anna, to: "token")
    #expect(try await world.ferry("sync").code == 0)
    world.server.withBackend { $0.revokeAllSessions() }
    let ended = try await world.ferry("sync", "--json")
    #expect(ended.code == 77)
    #expect(ended.lastMessage?["name"] as? String == "login-needed")
    #expect(try await world.store().read { try $0.count(of: "Game") } == 3)
  }

  @Test func `a wrong master key ends sync, plan and verify before any change`() async throws {
    let world = try ToolWorld()
    try world.server.withBackend { backend throws(LoopbackError) in
      _ = try backend.create("Game", ["title": "For the master", "ACL": .object([:])])
    }
    try world.folder.write("mk", to: "master.key")
    try world.configure(extra: "\"masterKeyFile\": \"master.key\",")
    #expect(try await world.ferry("sync").code == 0)
    let edit = "sqlite3 store.sqlite \"UPDATE Game SET title = 'Edited'\""
    #expect(try await world.shell(edit).code == 0)
    try world.folder.write("wrong", to: "master.key")
    for command in ["sync", "plan", "verify"] {
      let refused = try await world.ferry(command, "--json")
      #expect(refused.code == 77, "\(command): \(refused.errors)")
      #expect(refused.lastMessage?["name"] as? String == "unauthorized")
      #expect(refused.errors.contains("the master key"), "\(refused.errors)")
      #expect(refused.errors.contains("Nothing was sent and nothing was changed"))
    }
    #expect(try await world.ferry("conflicts").output.contains("no conflict record"))
    try world.folder.write("mk", to: "master.key")
    #expect(try await world.ferry("sync").code == 0)
    #expect(world.server.backend.objects(of: "Game").map { $0["title"] } == ["Edited"])
  }

  @Test func `a plan says once why it would park a change`() async throws {
    let world = try ToolWorld()
    try world.configure(classes: #"{ "Game": { "fields": { "playedAt": { "type": "Date" } } } }"#)
    #expect(try await world.ferry("sync").code == 0)
    let insert = "sqlite3 store.sqlite \"INSERT INTO Game (playedAt) VALUES ('yesterday')\""
    #expect(try await world.shell(insert).code == 0)
    let plan = try await world.ferry("plan")
    #expect(plan.output.contains("!p #1 playedAt (The field playedAt is of the type Date"))
    #expect(!plan.errors.contains("playedAt"), "\(plan.errors)")
    let json = try await world.ferry("plan", "--json")
    #expect(json.output.contains(#""code":"parked""#))
  }

  @Test func `a store of nobody or of another address is taken over with the flag that is named`()
    async throws
  {
    let world = try ToolWorld()
    try world.fill()
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    _ = try await world.store().write { try $0.insert("League", ["name": "South"]) }
    try world.folder.write(try world.signUp("anna").token, to: "token")
    let token = "\"sessionTokenFile\": \"token\","
    try world.configure(extra: token)
    let anna = try await world.ferry("sync")
    #expect(anna.code == 77)
    #expect(anna.errors.contains("ferry sync --adopt anonymous-data"), "\(anna.errors)")
    #expect(try await world.ferry("sync", "--adopt", "anonymous-data").code == 0)
    let moved = "http://localhost:\(world.server.port)/parse"
    try world.configure(server: moved, extra: token)
    let other = try await world.ferry("plan")
    #expect(other.code == 78)
    #expect(other.errors.contains("ferry sync --adopt moved-server"), "\(other.errors)")
    #expect(try await world.ferry("sync", "--adopt", "moved-server").code == 0)
    try world.folder.write(try world.signUp("ben").token, to: "token")
    let ben = try await world.ferry("sync")
    #expect(ben.code == 77)
    #expect(!ben.errors.contains("--adopt"))
  }

  @Test func `a type that does not fit the store or the server is told with the file to change`()
    async throws
  {
    let world = try ToolWorld()
    try world.fill(games: 1)
    try world.configure()
    #expect(try await world.ferry("sync").code == 0)
    try world.configure(classes: #"{ "Game": { "fields": { "score": { "type": "String" } } } }"#)
    let sync = try await world.ferry("sync")
    #expect(sync.code == 78)
    #expect(sync.errors.contains("ferry.json now says text"), "\(sync.errors)")
    try world.configure(
      classes: #"{ "Game": { "fields": { "score": { "type": "String", "column": "points" } } } }"#)
    #expect(try await world.ferry("sync").code == 3)
    _ = try await world.store().write { try $0.insert("Game", ["score": "many"]) }
    let refused = try await world.ferry("sync")
    let cure =
      "Make the type of the value, the field's declared type and its type on the server the same. Then edit the record"
    #expect(refused.errors.contains(cure), "\(refused.errors)")
  }
}
