// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryTestSupport
import LoopbackParse
import Testing

/// A difference between servers that breaks clients which do not expect it.
struct ServerVariant: Sendable, CustomTestStringConvertible {
  var name = "as it comes"
  var options = TestServerOptions(allowsCustomIDs: true)
  /// Whether the devices have the master key.
  var isMaster = true
  /// Fields with other declarations than in `StorySchema`, by class.
  var declarations: [String: TestServer.Row] = [:]
  /// Permissions, by class.
  var permissions: [String: LoopbackValue] = [:]

  var testDescription: String { name }

  init() {}

  init(_ name: String, isMaster: Bool = true, _ change: (inout ServerVariant) -> Void) {
    self.name = name
    self.isMaster = isMaster
    change(&self)
  }

  /// Each variant on each server; the double is always one process.
  static func cases(_ variants: [ServerVariant]) -> [(TestServer.Kind, ServerVariant)] {
    variants.flatMap { variant in
      TestServer.Kind.all.filter { $0 == .real || variant.options.processes == 1 }.map {
        ($0, variant)
      }
    }
  }
}

extension ServerVariant {
  static let all = orders + permissions + requests + values

  static let serversIDs = ServerVariant("ids made by the server") {
    $0.options.allowsCustomIDs = false
  }

  /// Ids and the order of rows.
  static let orders = [
    ServerVariant("ids made here") { _ in },
    serversIDs,
    ServerVariant("sorted as in English, 100 rows at most") {
      $0.options.collation = .english
      $0.options.maxLimit = 100
    },
    ServerVariant("ids made by the server, sorted as in English, 7 rows at most") {
      $0.options.allowsCustomIDs = false
      $0.options.collation = .english
      $0.options.maxLimit = 7
    },
  ]

  /// Permissions of clients.
  static let permissions = [
    ServerVariant("no classes made by clients", isMaster: false) {
      $0.options.allowsClassCreation = false
    },
    ServerVariant("no counting", isMaster: false) { variant in
      let anyone: LoopbackValue = ["*": true]
      for name in StorySchema.classNames {
        variant.permissions[name] = [
          "find": anyone, "get": anyone, "create": anyone, "update": anyone, "delete": anyone,
        ]
      }
    },
  ]

  /// Limits and failures of requests.
  static let requests = [
    ServerVariant("broken batches") { $0.options.breaksBatches = true },
    ServerVariant("ten requests in a batch at most", isMaster: false) {
      $0.options.batchLimit = 10
    },
    ServerVariant("every request only once, by its id", isMaster: false) {
      $0.options.isIdempotent = true
    },
    ServerVariant("twenty requests of a class in two seconds", isMaster: false) {
      $0.options.rateLimit = (20, 2)
    },
    ServerVariant("two processes") { $0.options.processes = 2 },
  ]

  /// The server's changes of values.
  static let values = [
    ServerVariant("default values and required fields") {
      $0.declarations = [
        "League": ["level": ["type": "Number", "defaultValue": 7]],
        "Game": [
          "title": ["type": "String", "required": true],
          "isFinal": ["type": "Boolean", "required": true, "defaultValue": false],
          "notes": ["type": "String", "defaultValue": "none"],
        ],
      ]
    },
    ServerVariant("slow code that changes what is saved", isMaster: false) {
      $0.options.cloudCode = .changesGamesSlowly
    },
  ]
}

extension TestCloudCode {
  /// Takes 800 ms for each game, writes its notes, points it to a team, and refuses some games.
  static let changesGamesSlowly = TestCloudCode(
    javaScript: """
      Parse.Cloud.beforeSave("Game", async ({ object, master }) => {
        if (!master) await new Promise(resume => setTimeout(resume, 800));
        if (object.get("title") === "bad") throw new Parse.Error(4711, "no bad games");
        object.set("notes", `seen: ${object.get("title")}`);
        object.set("away", Parse.Object.extend("Team").createWithoutData("chosenTeam"));
      });
      """,
    triggers: [
      "Game": LoopbackTriggers(beforeSave: { save in
        let title = (save.changes["title"] ?? save.original?["title"])?.string
        guard title != "bad" else { throw LoopbackError(code: 4711, message: "no bad games") }
        save.changes["notes"] = .string("seen: \(title ?? "undefined")")
        save.changes["away"] = .pointer("Team", "chosenTeam")
      })
    ], duration: .milliseconds(800))
}
