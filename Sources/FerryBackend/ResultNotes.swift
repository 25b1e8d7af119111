// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The results under their names, and which of them have to go; a value without effects.
struct ResultNotes: Equatable, Sendable {
  private(set) var results: [String: KeptResult] = [:]
  /// Rows that no result names and that are in the store.
  private(set) var strays = Set<RowName>()
  private var uses = 0

  subscript(name: String) -> KeptResult? { results[name] }

  mutating func keep(_ result: KeptResult, named name: String) {
    uses &+= 1
    var result = result
    result.lastUse = uses
    let former = results.updateValue(result, forKey: name)?.rows ?? []
    strays.subtract(result.rows)
    strays.formUnion(former.subtracting(named))
  }

  /// Notes a use, and returns the result.
  mutating func use(_ name: String) -> KeptResult? {
    uses &+= 1
    results[name]?.lastUse = uses
    return results[name]
  }

  /// Rows that were in the store before the first result.
  mutating func adopt(_ rows: Set<RowName>) { strays.formUnion(rows.subtracting(named)) }

  /// Takes results out until the rest fits, those first that were used least recently.
  ///
  /// - Parameters:
  ///   - size: How many rows may stay.
  ///   - pinned: The names of results that are in use.
  /// - Returns: The rows that must go. They count as strays until they have left.
  mutating func leaving(size: Int, pinned: Set<String>) -> Set<RowName> {
    guard named.union(strays).count > size else { return [] }
    var rest = results.filter { !pinned.contains($0.key) }.sorted {
      $0.value.lastUse < $1.value.lastUse
    }[...]
    while named.count > size, let oldest = rest.popFirst() {
      results[oldest.key] = nil
      strays.formUnion(oldest.value.rows.subtracting(named))
    }
    return strays
  }

  /// Notes that rows have left, except those that have unsent changes.
  mutating func left(_ rows: Set<RowName>, except kept: Set<RowName>) {
    strays.subtract(rows.subtracting(kept))
  }

  private var named: Set<RowName> {
    results.values.reduce(into: []) { $0.formUnion($1.rows) }
  }
}

extension ResultNotes: Codable {
  private struct Stored: Codable {
    struct Result: Codable {
      var question: String
      var askedAt: Date
      var isComplete: Bool
      var token: Int64
      var lastUse: Int
      var rows: [String: [String]]
    }
    var results: [String: Result]
    var strays: [String: [String]]
    var uses: Int
  }

  init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    results = stored.results.mapValues {
      KeptResult(
        question: $0.question, askedAt: $0.askedAt, isComplete: $0.isComplete, token: $0.token,
        rows: Self.names($0.rows), lastUse: $0.lastUse)
    }
    strays = Self.names(stored.strays)
    uses = stored.uses
  }

  func encode(to encoder: any Encoder) throws {
    let results = results.mapValues {
      Stored.Result(
        question: $0.question, askedAt: $0.askedAt, isComplete: $0.isComplete, token: $0.token,
        lastUse: $0.lastUse, rows: Self.lists($0.rows))
    }
    try Stored(results: results, strays: Self.lists(strays), uses: uses).encode(to: encoder)
  }

  private static func names(_ lists: [String: [String]]) -> Set<RowName> {
    Set(lists.flatMap { className, ids in ids.map { RowName(className, $0) } })
  }

  private static func lists(_ names: Set<RowName>) -> [String: [String]] {
    Dictionary(grouping: names, by: \.className).mapValues { $0.map(\.objectID).sorted() }
  }
}
