// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// Steps in which an app follows its store, and calls that the store refuses.
extension StepReader {
  /// `watch Game where score >= 10 by title`, `sees g1, g2`, `sees no rows`, `sees no change` or `look away`.
  func listStep(_ reader: inout PhraseReader) throws(ScenarioError) -> Step? {
    if try reader.takes("watch") {
      let entity = try self.entity(&reader)
      var query = Query(entity.name)
      if try reader.takes("where") { query.condition = try reader.filter(of: entity.fields) }
      if try reader.takes("by") {
        query.order = [.ascending(try fieldName(of: entity.name, &reader))]
      }
      return .watch(query)
    }
    if try reader.takes(phrase: "look away") { return .lookAway }
    guard try reader.takes("sees") else { return nil }
    if try reader.takes(phrase: "no change") { return .sees(nil) }
    if try reader.takes(phrase: "no rows") { return .sees([]) }
    return .sees(try knownNameList(&reader))
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
    case .set(let rows, _), .delete(let rows), .discard(let rows), .retry(let rows),
      .retryQuarantined(let rows):
      rows.count == 1
    case .restore, .undo, .redo: true
    default: false
    }
  }
}
