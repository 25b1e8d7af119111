// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import LoopbackParse

/// Makes the same records every time, each of about 520 bytes as the server writes it.
struct NoteGenerator {
  /// The stamp of the first record, in milliseconds.
  var first: Int64 = 1_700_000_000_000
  /// The milliseconds from each record to the next.
  var interval = 37.0
  /// Whether the records have other titles, counts, dates and tags than before.
  var isChanged = false
  /// Every that many records has a value that no device can read; nil for none.
  var unreadableEach: Int?

  private static let words = [
    "alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hôtel", "india", "juliett",
    "kilo", "lima",
  ]

  func notes(_ count: Int) -> [LoopbackValue] {
    (0..<count).map { number in
      let stamp = Timestamp(milliseconds: first + Int64(Double(number) * interval)).description
      let change = isChanged ? 1 : 0
      let created = Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 37)
      let moment = Timestamp(milliseconds: created.milliseconds + Int64(change)).description
      let id = "n" + String(repeating: "0", count: 9 - String(number).count) + String(number)
      let body = (0..<18).map { Self.words[(number + $0 * $0) % 12] }.joined(separator: " ")
      return [
        "objectId": .string(id), "createdAt": .string(created.description),
        "updatedAt": .string(stamp),
        "title": .string("Record \(number) \(Self.words[(number + change) % 12])"),
        "count": .number(Double(number + change) + (isUnreadable(number) ? 0.5 : 0)),
        "ratio": .number(Double(number) / 7),
        "done": .bool(number % 3 == 0), "when": ["__type": "Date", "iso": .string(moment)],
        "tags": [
          .string(Self.words[number % 12]), .string(Self.words[(number * 7 + change) % 12]),
        ],
        "place": [
          "__type": "GeoPoint", "latitude": .number(Double(number % 90) + 0.125),
          "longitude": .number(Double(number % 180) + 0.25),
        ],
        "owner": [
          "__type": "Pointer", "className": "Person", "objectId": .string("p\(number % 1000)"),
        ],
        "body": .string(number % 10 == 0 ? body + " \"quoted\"\n" : body),
      ]
    }
  }

  /// Records with stamps of the last seconds.
  ///
  /// - Parameters:
  ///   - count: The number of records.
  ///   - seconds: From the first stamp to the last.
  ///   - isChanged: Whether the records have other values than before.
  ///   - unreadableEach: Every that many records cannot be read; nil for none.
  /// - Returns: The records.
  static func recent(
    _ count: Int, over seconds: Int64 = 4, isChanged: Bool = false, unreadableEach: Int? = nil
  ) -> [LoopbackValue] {
    NoteGenerator(
      first: Timestamp.now.milliseconds - 1000 * (seconds + 1),
      interval: Double(1000 * seconds) / Double(count), isChanged: isChanged,
      unreadableEach: unreadableEach
    ).notes(count)
  }

  private func isUnreadable(_ number: Int) -> Bool {
    unreadableEach.map(number.isMultiple(of:)) ?? false
  }

  /// The same records as an app inserts them.
  func rows(_ count: Int) -> [Fields] {
    (0..<count).map { number in
      let body = (0..<18).map { Self.words[(number + $0 * $0) % 12] }.joined(separator: " ")
      return [
        "title": .string("Record \(number) \(Self.words[number % 12])"),
        "count": .integer(Int64(number)), "ratio": .number(Double(number) / 7),
        "done": .boolean(number % 3 == 0),
        "when": .date(Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 37)),
        "tags": [.string(Self.words[number % 12]), .string(Self.words[number * 7 % 12])],
        "place": .geoPoint(
          GeoPoint(latitude: Double(number % 90) + 0.125, longitude: Double(number % 180) + 0.25)),
        "owner": .pointer(Pointer(className: "Person", objectID: "p\(number % 1000)")),
        "body": .string(number % 10 == 0 ? body + " \"quoted\"\n" : body),
      ]
    }
  }
}
