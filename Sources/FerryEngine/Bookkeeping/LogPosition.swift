// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// How far the server's deletion log of a class was read.
///
/// The place is taken before the class is compared with the server, so that a deletion is either found by the comparison
/// or behind the place.
struct LogPosition: Equatable, Sendable {
  /// The place in the log, as the server gave it.
  var place: String
  /// Whether two comparisons in a row began behind a place of the log, so that the log alone shows what is deleted.
  ///
  /// Counts may agree by chance: a record is deleted before the place, and no listing has shown another one yet, which
  /// was written late. The second comparison finds the first record, since the listing before it brings the other one.
  var isConfirmed = false
}

extension LogPosition: Note {
  init(from json: inout JSONText) throws(JSONText.Malformed) {
    var (place, isConfirmed) = (String?.none, false)
    try json.members { json, name throws(JSONText.Malformed) in
      switch name {
      case "isConfirmed": isConfirmed = try json.boolean()
      case "place": place = try json.text()
      default: try json.skip()
      }
    }
    guard let place else { throw JSONText.Malformed() }
    self.init(place: place, isConfirmed: isConfirmed)
  }

  func write(to json: inout WireJSON) {
    json.object { json in
      json.member("isConfirmed", isConfirmed)
      json.member("place", place)
    }
  }
}
