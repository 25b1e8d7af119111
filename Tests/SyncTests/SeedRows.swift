// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import FerryTestSupport
import LoopbackParse
import Randomness

/// Rows for a server that are equal for equal seeds: awkward texts, numbers, dates, and fields
/// without a value.
struct SeedRows {
  typealias Row = TestServer.Row

  private var random = SeededGenerator(seed: 20_000)

  mutating func league(_ number: Int) -> Row {
    let row: Row = [
      "name": .string("League \(number)"), "level": .number(Double(number % 5 - 2)),
      "isOpen": .bool(number.isMultiple(of: 2)), "founded": date(), "emblem": bytes(),
      "area": [
        "__type": "Polygon", "coordinates": [[0, 0], [0, 10.5], [10.25, 10], [10, -0.125]],
      ],
    ]
    return stamped(thinned(row, keeping: "name"))
  }

  mutating func team(_ number: Int, leagues: [String]) -> Row {
    let row: Row = [
      "name": .string("Team \(number)"), "league": pointer("League", leagues),
      "colours": .array([text(), text()]), "home": place(), "budget": ratio(),
    ]
    return stamped(thinned(row, keeping: "name"))
  }

  mutating func game(_ number: Int, teams: [String]) -> Row {
    let row: Row = [
      "title": .string("Game \(number)"), "notes": text(), "playedAt": date(),
      "home": pointer("Team", teams), "away": pointer("Team", teams),
      "score": score(), "ratio": ratio(), "isFinal": .bool(Bool.random(using: &random)),
      "details": [
        "period": score(), "scorer": text(), "at": date(), "nothing": .null,
        "by": pointer("Team", teams), "deep": ["list": [1, -2.5, ["end": .bool(true)]]],
      ],
      "tags": .array([text(), score(), .null, date(), [1, [2]]]), "place": place(),
      "sheet": bytes(),
    ]
    return stamped(thinned(row, keeping: "title"))
  }
}

extension SeedRows {
  /// The row without about one in eight of its fields.
  private mutating func thinned(_ row: Row, keeping name: String) -> Row {
    var kept = row
    for field in row.keys.sorted() where field != name {
      if Int.random(in: 0..<8, using: &random) == 0 { kept[field] = nil }
    }
    return kept
  }

  /// The row with given dates: created over five years, half of the rows changed since.
  private mutating func stamped(_ row: Row) -> Row {
    var row = row
    let created = date(years: 2020..<2025)
    row["createdAt"] = created
    row["updatedAt"] = Bool.random(using: &random) ? created : date(years: 2025..<2026)
    return row
  }

  private mutating func text() -> LoopbackValue {
    let words = [
      "plain", "Ærøskøbing", "日本シリーズ", "⚽️ 👩‍👩‍👧", "e\u{301} is not é", "مباراة",
      "line\nbreak\ttab", "quote \" slash \\ /", "\u{1}\u{1F}\u{7F}\u{2028}", " ' ; -- % _",
      "", "null", "1e3", "\u{10FFFF}",
    ]
    return .string(words.randomElement(using: &random) ?? "")
  }

  private mutating func score() -> LoopbackValue {
    let numbers: [Double] = [
      0, 1, -1, 42, -7, 9_007_199_254_740_991, -9_007_199_254_740_991, 2_147_483_648,
    ]
    return .number(numbers.randomElement(using: &random) ?? 0)
  }

  private mutating func ratio() -> LoopbackValue {
    let numbers: [Double] = [0.1 + 0.2, -1.5, 1e21, 1e-7, 123456.789, -3, 2.5e-308, 1.7e308, 1 / 3]
    return .number(numbers.randomElement(using: &random) ?? 0)
  }

  private mutating func date(years: Range<Int> = 1850..<2150) -> LoopbackValue {
    func digits(_ number: Int, _ width: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: width - text.count) + text
    }
    let day = [
      digits(Int.random(in: years, using: &random), 4),
      digits(Int.random(in: 1...12, using: &random), 2),
      digits(Int.random(in: 1...28, using: &random), 2),
    ]
    let time = [24, 60, 60].map { digits(Int.random(in: 0..<$0, using: &random), 2) }
    let milliseconds = digits([0, 1, 120, 999].randomElement(using: &random) ?? 0, 3)
    return .date(
      "\(day.joined(separator: "-"))T\(time.joined(separator: ":")).\(milliseconds)Z")
  }

  private mutating func place() -> LoopbackValue {
    [
      "__type": "GeoPoint", "latitude": .number(Double.random(in: -90...90, using: &random)),
      "longitude": .number(Double.random(in: -180...180, using: &random)),
    ]
  }

  private mutating func bytes() -> LoopbackValue {
    let texts = ["AA==", "aGVsbG8=", "//79+g==", "AAECAwQFBgcICQ=="]
    return ["__type": "Bytes", "base64": .string(texts.randomElement(using: &random) ?? "AA==")]
  }

  private mutating func pointer(_ className: String, _ ids: [String]) -> LoopbackValue {
    .pointer(className, ids.randomElement(using: &random) ?? "nobody")
  }
}
