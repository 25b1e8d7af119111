// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import FerryPlanning
import LoopbackParse

/// Three classes that point to one another, with every type of value that a row can hold.
enum StorySchema {
  static let schema = Schema {
    Entity("League") {
      Field("name", .text)
      Field("level", .integer)
      Field("isOpen", .boolean)
      Field("founded", .date)
      Field("emblem", .bytes)
      Field("area", .polygon)
    }
    Entity("Team") {
      Field("name", .text)
      Field("league", .pointer(to: "League"))
      Field("colours", .array)
      Field("home", .geoPoint)
      Field("budget", .number)
      Field("derby", .pointer(to: "Game"))
    }
    Entity("Game") {
      Field("title", .text)
      Field("notes", .text)
      Field("playedAt", .date)
      Field("home", .pointer(to: "Team"))
      Field("away", .pointer(to: "Team"))
      Field("previous", .pointer(to: "Game"))
      Field("score", .integer)
      Field("ratio", .number)
      Field("isFinal", .boolean)
      Field("details", .object)
      Field("tags", .array)
      Field("place", .geoPoint)
      Field("sheet", .bytes)
    }
  }

  static var classNames: [String] { schema.entities.map(\.name) }

  /// The same classes in the server's form, written by hand.
  static let onServer: [(String, [String: LoopbackValue])] = [
    (
      "League",
      [
        "name": ["type": "String"], "level": ["type": "Number"], "isOpen": ["type": "Boolean"],
        "founded": ["type": "Date"], "emblem": ["type": "Bytes"], "area": ["type": "Polygon"],
      ]
    ),
    (
      "Team",
      [
        "name": ["type": "String"], "league": ["type": "Pointer", "targetClass": "League"],
        "colours": ["type": "Array"], "home": ["type": "GeoPoint"], "budget": ["type": "Number"],
        "derby": ["type": "Pointer", "targetClass": "Game"],
      ]
    ),
    (
      "Game",
      [
        "title": ["type": "String"], "notes": ["type": "String"], "playedAt": ["type": "Date"],
        "home": ["type": "Pointer", "targetClass": "Team"],
        "away": ["type": "Pointer", "targetClass": "Team"],
        "previous": ["type": "Pointer", "targetClass": "Game"], "score": ["type": "Number"],
        "ratio": ["type": "Number"], "isFinal": ["type": "Boolean"],
        "details": ["type": "Object"], "tags": ["type": "Array"], "place": ["type": "GeoPoint"],
        "sheet": ["type": "Bytes"],
      ]
    ),
  ]
}
