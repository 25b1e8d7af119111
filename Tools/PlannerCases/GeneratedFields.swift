// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import Randomness

/// Values of three fields, few enough that equal ones are frequent.
enum GeneratedFields {
  static let names = ["f", "g", "h"]

  static func make(_ chance: inout SeededGenerator) -> Fields {
    var fields = Fields()
    for name in names {
      let number = chance.number(below: 3)
      if number > 0 { fields[name] = .integer(Int64(number)) }
    }
    return fields
  }

  static func subset(_ chance: inout SeededGenerator) -> Set<String> {
    Set(names.filter { _ in chance.one(in: 2) })
  }
}

extension Fields {
  /// A row holds no null.
  var withoutNulls: Fields { Fields(values.filter { !$0.value.isNull }) }
}
