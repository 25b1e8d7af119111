// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse

extension EvilBehaviour {
  /// Listings whose rows are wrong.
  static let rows: [EvilBehaviour] = [
    everyRow("sends rows of another class") { row in
      row["className"] = "Evil"
      row["__type"] = "Object"
    },
    firstRow("sends a row without an id") { $0["objectId"] = nil },
    firstRow("sends a row with a number as its id") { $0["objectId"] = 7 },
    firstRow("sends a row with an empty id") { $0["objectId"] = "" },
    firstRow("sends a row with a path as its id") { $0["objectId"] = "../../x" },
    firstRow("sends a row with an id of a megabyte") {
      $0["objectId"] = .string(String(repeating: "i", count: 1 << 20))
    },
    firstRow("sends a row with a zero character in its id") { $0["objectId"] = "a\u{0}b" },
    firstRow("sends a row with quotes in its id") { $0["objectId"] = "'; DROP TABLE Game; --" },
    firstRow("sends a row with a line break in its id") { $0["objectId"] = "a\r\nX-Any: b" },
    firstRow("sends a row that nobody made") { row in
      (row["objectId"], row["title"]) = ("evil", "evil")
    },
    everyRow("sends rows without ids") { $0["objectId"] = nil },
    everyRow("sends all rows with one id") { $0["objectId"] = "one" },
    everyRow("sends rows without stamps") { ($0["updatedAt"], $0["createdAt"]) = (nil, nil) },
    everyRow("sends rows without a stamp of creation") { $0["createdAt"] = nil },
    stamp("sends stamps that are no dates", "yesterday"),
    stamp("sends numbers as stamps", 1e308),
    stamp("sends stamps of the year 9999", "9999-12-31T23:59:59.999Z"),
    stamp("sends stamps of the year 0", "0000-01-01T00:00:00.000Z"),
    stamp("sends stamps of the year 99999", "99999-01-01T00:00:00.000Z"),
    stamp("sends stamps of the 30th of February", "2026-02-30T00:00:00.000Z"),
    stamp("sends stamps without a zone", "2026-02-20T00:00:00.000"),
    stamp("sends stamps of a megabyte", .string(String(repeating: "2", count: 1 << 20))),
    firstRow("sends one stamp of the year 9999") { $0["updatedAt"] = "9999-12-31T23:59:59.999Z" },
    firstRow("sends one row that is older than its creation") {
      $0["updatedAt"] = "1970-01-01T00:00:00.000Z"
    },
    everyRow("sends every field with another type") { row in
      for (name, value) in row where !kept.contains(name) { row[name] = .array([value]) }
    },
    everyRow("sends every field as an object of no type") { row in
      for name in row.keys where !kept.contains(name) { row[name] = ["__type": "Evil"] }
    },
    // A value that the server denies could not be told from one that it does not have.
    everyRow("sends what is missing as null") { row in
      for name in ["league", "previous", "tags", "ACL", "ferryKey"] where row[name] == nil {
        row[name] = .null
      }
    },
    everyRow("sends pointers to another class") { $0["league"] = .pointer("Evil", "x") },
    everyRow("sends pointers with hostile names") {
      $0["league"] = .pointer("League\"; DROP TABLE Game; --", "../../x")
    },
    everyRow("sends pointers to themselves") { row in
      row["previous"] = .pointer("Game", row["objectId"]?.string ?? "")
    },
    everyRow("sends dates beyond the calendar") {
      $0["playedAt"] = .date("99999-99-99T99:99:99.999Z")
    },
    everyRow("sends numbers beyond all integers") { $0["score"] = 1e300 },
    everyRow("sends names of the store's own columns") { row in
      for name in ["localId", "rowid", "ferryKey", "localID", "_rowid_", "oid"] {
        row[name] = "evil"
      }
    },
    everyRow("sends access lists of no form") { $0["ACL"] = [["*": 7]] },
    firstRow("sends a row of 20,000 fields") { row in
      for number in 0..<20_000 { row["f\(number)"] = 1 }
    },
    firstRow("sends tags of 8 MB") {
      $0["tags"] = [.string(String(repeating: "t", count: 8 << 20))]
    },
    .results("sends each row twice") { rows, _ in rows.flatMap { [$0, $0] } },
    .results("sends the rows backwards") { rows, _ in rows.reversed() },
    .results("sends no row") { _, _ in [] },
    .results("leaves out the last row") { rows, _ in rows.dropLast() },
    .results("sends words instead of rows") { rows, _ in rows.map { _ in "row" } },
    .results("sends lists instead of rows") { rows, _ in rows.map { [$0] } },
    .results("sends null among the rows") { rows, _ in [.null] + rows },
    .results("sends new rows without an end") { _, number in
      (0..<50).map { made("evil\(100_000 + number)-\(100 + $0)", number * 50 + $0) }
    },
    .results("sends one page of new rows again and again") { _, _ in
      (0..<50).map { made("evil\(100 + $0)", $0) }
    },
    .results("sends more rows than were asked for") { _, _ in
      (0..<20_000).map { made("evil\(100_000 + $0)", $0) }
    },
    .json("sends a word instead of the list of rows", at: listings) {
      inEach($0) { $0.merging(["results": "rows"]) { $1 } }
    },
    .json("sends an object instead of the list of rows", at: listings) {
      inEach($0) { $0.merging(["results": ["0": [:]]]) { $1 } }
    },
  ]

  private static let listings = EvilExchange.listings
  private static let kept: Set = ["objectId", "createdAt", "updatedAt"]

  /// A row that the server does not have.
  private static func made(_ id: String, _ second: Int) -> LoopbackValue {
    let time = String(format: "%02d:%02d:%02d", second / 3600 % 24, second / 60 % 60, second % 60)
    let stamp = LoopbackValue.string("2027-05-01T\(time).000Z")
    return ["objectId": .string(id), "createdAt": stamp, "updatedAt": stamp, "title": "evil"]
  }

  private static func everyRow(
    _ name: String, _ change: @escaping @Sendable (inout [String: LoopbackValue]) -> Void
  ) -> EvilBehaviour {
    results(name) { rows, _ in rows.map { changed($0, change) } }
  }

  private static func firstRow(
    _ name: String, _ change: @escaping @Sendable (inout [String: LoopbackValue]) -> Void
  ) -> EvilBehaviour {
    results(name) { rows, _ in rows.prefix(1).map { changed($0, change) } + rows.dropFirst() }
  }

  private static func stamp(_ name: String, _ value: LoopbackValue) -> EvilBehaviour {
    everyRow(name) { ($0["updatedAt"], $0["createdAt"]) = (value, value) }
  }

  private static func changed(
    _ row: LoopbackValue, _ change: (inout [String: LoopbackValue]) -> Void
  ) -> LoopbackValue {
    var members = row.object ?? [:]
    change(&members)
    return .object(members)
  }

  /// Changes each list of rows; the number says how often the behaviour was played before.
  private static func results(
    _ name: String, _ change: @escaping @Sendable ([LoopbackValue], Int) -> [LoopbackValue]
  ) -> EvilBehaviour {
    .body(name, at: listings) { answer in
      let value = inEach(answer.json) { page in
        guard let rows = page["results"]?.array else { return page }
        return page.merging(["results": .array(change(rows, answer.number))]) { $1 }
      }
      return Array(value.text.utf8)
    }
  }

  /// Changes a page, or each page of a batch.
  static func inEach(
    _ value: LoopbackValue, _ change: ([String: LoopbackValue]) -> [String: LoopbackValue]
  ) -> LoopbackValue {
    if let items = value.array {
      return .array(
        items.map { item in
          guard let page = item["success"]?.object else { return item }
          return ["success": .object(change(page))]
        })
    }
    return value.object.map { .object(change($0)) } ?? value
  }
}
