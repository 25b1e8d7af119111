// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness

extension Fields {
  /// Some fields of a game with few different values, so that edits often meet or lead back.
  static func randomGame(using generator: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in ["title", "rating", "details"] where Bool.random(using: &generator) {
      let number = Int64.random(in: 0..<3, using: &generator)
      switch (name, number) {
      case (_, 0): fields[name] = .null
      case ("title", _): fields[name] = .string("t\(number)")
      case ("rating", _): fields[name] = .number(Double(number))
      default: fields[name] = ["n": .integer(number)]
      }
    }
    return fields
  }
}
