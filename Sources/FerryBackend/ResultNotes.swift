// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// The results under their names, and which of them have to go; a value without effects.
struct ResultNotes: Equatable, Sendable {
  private(set) var results: [String: KeptResult] = [:]
  private var uses = 0

  subscript(name: String) -> KeptResult? { results[name] }

  mutating func keep(_ result: KeptResult, named name: String) {
    uses &+= 1
    var result = result
    result.lastUse = uses
    results[name] = result
  }

  /// Notes that all rows of the result were in the store at a position in its history.
  ///
  /// An earlier position is that of a backup, which proves nothing.
  mutating func found(_ name: String, at token: Int64) {
    if let result = results[name], result.token < token { results[name]?.token = token }
  }

  /// Notes a use, and returns the result.
  mutating func use(_ name: String) -> KeptResult? {
    uses &+= 1
    results[name]?.lastUse = uses
    return results[name]
  }

  /// Takes results out until the rest fits, those first that were used least recently.
  ///
  /// - Parameters:
  ///   - rows: The rows in the store that may go: without those that have unsent changes.
  ///   - size: How many of them may stay.
  ///   - pinned: The names of results that are in use.
  /// - Returns: The rows that must go, because no result names them.
  mutating func leaving(
    of rows: Set<RowName>, size: Int, pinned: Set<String>
  ) -> Set<RowName> {
    guard rows.count > size else { return [] }
    var rest = results.filter { !pinned.contains($0.key) }.sorted {
      $0.value.lastUse < $1.value.lastUse
    }[...]
    while rows.intersection(named).count > size, let oldest = rest.popFirst() {
      results[oldest.key] = nil
    }
    return rows.subtracting(named)
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
    var uses: Int
  }

  init(from decoder: any Decoder) throws {
    let stored = try Stored(from: decoder)
    results = stored.results.mapValues {
      KeptResult(
        question: $0.question, askedAt: $0.askedAt, isComplete: $0.isComplete, token: $0.token,
        rows: Self.names($0.rows), lastUse: $0.lastUse)
    }
    uses = stored.uses
  }

  func encode(to encoder: any Encoder) throws {
    let results = results.mapValues {
      Stored.Result(
        question: $0.question, askedAt: $0.askedAt, isComplete: $0.isComplete, token: $0.token,
        lastUse: $0.lastUse, rows: Self.lists($0.rows))
    }
    try Stored(results: results, uses: uses).encode(to: encoder)
  }

  private static func names(_ lists: [String: [String]]) -> Set<RowName> {
    Set(lists.flatMap { className, ids in ids.map { RowName(className, $0) } })
  }

  private static func lists(_ names: Set<RowName>) -> [String: [String]] {
    Dictionary(grouping: names, by: \.className).mapValues { $0.map(\.objectID).sorted() }
  }
}
