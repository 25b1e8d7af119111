// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// The classes of all stores here, for the engine and for a `ferry.json`.
enum PlayedClasses {
  static let schema = Schema {
    Entity("Team") {
      Field("title", .text)
      Field("points", .number)
    }
    Entity("Game") {
      Field("title", .text)
      Field("score", .number)
      Field("note", .text)
      Field("home", .pointer(to: "Team"))
    }
  }

  /// The content of a `ferry.json` for a server.
  static func configuration(server: String) -> String {
    """
    {
      "server": "\(server)", "applicationId": "app1",
      "classes": {
        "Team": { "fields": { "title": { "type": "String" }, "points": { "type": "Number" } } },
        "Game": { "fields": { "title": { "type": "String" }, "score": { "type": "Number" },
          "note": { "type": "String" }, "home": { "type": "Pointer", "targetClass": "Team" } } }
      }
    }
    """
  }
}
