// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

extension Entity {
  /// A class with a field of every type.
  static let everyType = Entity("Game") {
    Field("title", .text)
    Field("score", .integer)
    Field("rating", .number)
    Field("isFinal", .boolean)
    Field("playedAt", .date)
    Field("league", .pointer(to: "League"))
    Field("token", .bytes)
    Field("extra", .object)
    Field("tags", .array)
    Field("place", .geoPoint)
    Field("area", .polygon)
    Field("badge", .file)
    Field("players", .relation(to: "Player"))
  }
}
