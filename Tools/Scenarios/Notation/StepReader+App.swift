// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// Steps in which an app follows its store, and calls that the store refuses.
extension StepReader {
  /// `watch Game where score >= 10 by title`, `sees g1, g2`, `sees no rows`, `sees no change`, `look away` or
  /// `throw at the next commit`.
  func listStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes("watch") { return .watch(try query(&reader)) }
    if try reader.takes(phrase: "look away") { return .lookAway }
    if try reader.takes(phrase: "throw at the next commit") { return .throwAtCommit }
    guard try reader.takes("sees") else { return nil }
    if try reader.takes(phrase: "no change") { return .sees(nil) }
    if try reader.takes(phrase: "no rows") { return .sees([]) }
    return .sees(try knownNameList(&reader))
  }

  /// A class, a condition and an order; a name in quotes need not be in the schema.
  private func query(_ reader: inout PhraseReader) throws(ScenarioError) -> Query {
    let className = try reader.name { reader throws(ScenarioError) in try entity(&reader).name }
    var query = Query(className)
    if try reader.takes("where") {
      query.condition = try reader.filter(of: schema.entity(className)?.fields ?? [])
    }
    if try reader.takes("by") {
      let field = try reader.name { reader throws(ScenarioError) in
        try fieldName(of: className, &reader)
      }
      query.order = [.ascending(field)]
    }
    return query
  }

  /// `fetch Game where score >= 10`, with `-> stops CODE` behind it, or `evict g1, g2`.
  func onDemandStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes("evict") { return .evict(try knownNameList(&reader)) }
    guard try reader.takes("fetch") else { return nil }
    let query = try query(&reader)
    guard try reader.takes(sign: "->") else { return .fetch(query, stops: nil) }
    try reader.needs("stops")
    return .fetch(query, stops: try reader.word("the code of an error"))
  }

  /// `app reads "SELECT …"` or `app writes "UPDATE …"`.
  func appSQLStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    let isReading = try reader.takes(phrase: "app reads")
    if !isReading, try !reader.takes(phrase: "app writes") { return nil }
    guard let sql = try reader.takesText() else { throw reader.expected("SQL in quotes") }
    return isReading ? .readSQL(sql) : .writeSQL(sql)
  }

  /// `reader index reads g1, g2`, `reads nothing`, `is too late` or `starts over`.
  func historyStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    guard try reader.takes("reader") else { return nil }
    let name = try reader.word("the name of a reader of history")
    if try reader.takes(phrase: "is too late") { return .readHistory(.isTooLate, reader: name) }
    if try reader.takes(phrase: "starts over") { return .readHistory(.startsOver, reader: name) }
    guard try reader.takes("reads") else {
      throw reader.expected("\"reads\", \"is too late\" or \"starts over\"")
    }
    let rows = try reader.takes("nothing") ? [] : try knownNameList(&reader)
    return .readHistory(.reads(rows), reader: name)
  }

  /// The step as it is, or with `refused CODE` behind it.
  func perhapsRefused(_ step: Step, _ reader: inout PhraseReader) throws(ScenarioError) -> Step {
    guard step.isOneCall, try reader.takes("refused") else { return step }
    return .refused(step, StoreError.Code(rawValue: try reader.word("the code of an error")))
  }
}

extension Step {
  /// Whether the app makes one call of the store for it, so that all of it is refused or nothing.
  fileprivate var isOneCall: Bool {
    switch self {
    case .relate: true
    case .set(let rows, _), .share(let rows, _), .delete(let rows), .discard(let rows),
      .retry(let rows),
      .retryQuarantined(let rows):
      rows.count == 1
    case .restore, .undo, .redo, .watch, .readSQL, .writeSQL: true
    default: false
    }
  }
}
