// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import LoopbackParse

/// The words of a fetch about itself, and the store's answer to its query afterwards.
struct FetchedAnswer {
  var query: Query
  /// Whether the server decided the whole condition.
  var isExact: Bool
  /// Whether all records came.
  var isComplete: Bool
  /// The names of the records that came.
  var records: [String]
  /// The names of the query's rows in the store, in their order.
  var answer: [String]
}

// The answer of a query, evaluated by the oracle.
extension Oracle {
  /// The answer after a fetch is that of the server's records, with the device's unsent edits.
  ///
  /// Documented: a row that has left the query on the server, or is gone there, stays as it was. So a limited answer may
  /// have such a row in it.
  func checkAnswer(
    _ fetched: FetchedAnswer, of made: WorldClass, server: [LoopbackValue], _ before: DeviceView,
    _ after: DeviceView
  ) throws(Violation) {
    guard !hasGoneBack, let there = readableRows(of: made, server),
      let here = after.rowsByName(of: made.name)
    else { return }
    let query = fetched.query
    let waiting = Set(
      before.pending.map { before.name(of: $0, identities) }
        + after.pending.map { after.name(of: $0, identities) })
    let wanted = there.filter { !waiting.contains($0.key) && query.holds($0.value) }
    guard fetched.isComplete else {
      throw wrongAnswer(fetched, after, "says that it is incomplete, and nothing limits it")
    }
    if fetched.isExact, query.limit == nil {
      let came = Set(fetched.records).subtracting(waiting)
      if came != Set(wanted.keys) {
        throw wrongAnswer(
          fetched, after, "brought \(came.sorted()), and the query has \(wanted.keys.sorted())")
      }
    }
    // Documented: a row that the limit leaves out stays as it was.
    let shown = Set(fetched.records)
    let current = wanted.filter { name, _ in
      query.limit == nil || shown.contains(name) || here[name] == nil
    }
    let expected = here.merging(current) { $1 }.filter { query.holds($0.value) }
    let sorted = expected.values.map { query.key($0) }.sorted { query.isOrdered($0, before: $1) }
    let keys = fetched.answer.map { query.key(expected[$0] ?? here[$0] ?? [:]) }
    guard keys == Array(sorted.prefix(query.limit ?? .max)),
      fetched.answer.allSatisfy({ expected[$0] != nil })
    else {
      throw wrongAnswer(
        fetched, after,
        "is answered with \(fetched.answer), and the rows are \(expected.keys.sorted())")
    }
    for name in fetched.answer {
      guard let fields = current[name] else { continue }
      for (field, content) in fields
      where field != RecordProperty.objectID.rawValue && here[name]?[field] ?? .empty != content {
        throw wrongAnswer(
          fetched, after,
          "left \(name).\(field) as \((here[name]?[field] ?? .empty).text), which is \(content.text)"
        )
      }
    }
  }

  private func wrongAnswer(
    _ fetched: FetchedAnswer, _ view: DeviceView, _ words: String
  ) -> Violation {
    Violation(
      .wrongAnswer, "\"fetch \(fetched.query.storyText)\" of \(view.device) \(words)")
  }

  /// The server's rows that a device may hold, by name; nil where a row has two records.
  private func readableRows(
    of made: WorldClass, _ rows: [LoopbackValue]
  ) -> [String: [String: Content]]? {
    var named: [String: [String: Content]] = [:]
    for row in rows where made.flag.map({ row[$0] != true }) ?? true {
      let name = row[made.title]?.string ?? "?"
      var fields: [String: Content] = [:]
      for field in made.entity.fields where field.name != made.flag {
        fields[field.name] = row[field.name].map { Content($0, name: identities.name) } ?? .empty
      }
      fields[RecordProperty.objectID.rawValue] = .text(row["objectId"]?.string ?? "")
      guard named[name] == nil, history.count(of: name) < 2 else { return nil }
      if made.canRead(fields), made.keeps(fields) { named[name] = fields }
    }
    return named
  }
}

extension DeviceView {
  /// The rows of a class by name; nil where a row is there twice.
  fileprivate func rowsByName(of className: String) -> [String: [String: Content]]? {
    var named: [String: [String: Content]] = [:]
    for row in rows where row.className == className {
      var fields = row.fields
      fields[RecordProperty.objectID.rawValue] = .text(row.objectID)
      guard named.updateValue(fields, forKey: row.name) == nil else { return nil }
    }
    return named
  }
}

extension Query {
  /// The fields that its condition and its order compare.
  var comparedFields: Set<String> {
    (condition?.fields ?? []).union(order.map(\.field))
  }

  /// Whether a row with these values is one of the query's.
  fileprivate func holds(_ fields: [String: Content]) -> Bool {
    condition.map { $0.holds { fields[$0] ?? .empty } == true } ?? true
  }

  /// The values by which the query sorts a row.
  fileprivate func key(_ fields: [String: Content]) -> [Content] {
    order.map { fields[$0.field] ?? .empty }
  }

  fileprivate func isOrdered(_ first: [Content], before second: [Content]) -> Bool {
    for (sort, values) in zip(order, zip(first, second)) where values.0 != values.1 {
      return values.0.isSorted(before: values.1) != sort.descending
    }
    return false
  }
}

extension Content {
  /// Documented: a missing value is the least, and texts are sorted by their bytes.
  fileprivate func isSorted(before other: Content) -> Bool {
    switch (self, other) {
    case (.empty, _): other != .empty
    case (_, .empty): false
    case (.text(let first), .text(let second)):
      first.utf8.lexicographicallyPrecedes(second.utf8)
    default: (ordinal ?? 0) < (other.ordinal ?? 0)
    }
  }
}
