// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

extension EvilBehaviour {
  /// Counts that are wrong, beside true rows.
  static let counts: [EvilBehaviour] = [
    count("counts minus five rows", -5),
    count("counts no row", 0),
    count("counts one row", 1),
    count("counts more rows than there are", 1_000_000_000),
    count("counts more rows than an integer holds", 1e300),
    count("counts half a row", 0.5),
    count("counts in words", "many"),
    count("counts with null", .null),
    count("counts with a list", [12]),
    count("counts with a truth value", true),
    EvilBehaviour.json("does not count", at: places) {
      inEach($0) { page in page.filter { $0.key != "count" } }
    },
    EvilBehaviour.body("counts one row more each time", at: places) { answer in
      Array(with(.number(Double(answer.number + 20)), answer.json).text.utf8)
    },
    EvilBehaviour.body("counts now more, now less", at: places) { answer in
      Array(with(answer.number.isMultiple(of: 2) ? 3 : 300, answer.json).text.utf8)
    },
  ]

  private static let places: [EvilExchange] = [.page, .count, .batchOfReads]

  private static func count(_ name: String, _ count: LoopbackValue) -> EvilBehaviour {
    .json(name, at: places) { with(count, $0) }
  }

  private static func with(_ count: LoopbackValue, _ value: LoopbackValue) -> LoopbackValue {
    inEach(value) { page in
      page["count"] == nil ? page : page.merging(["count": count]) { $1 }
    }
  }
}
