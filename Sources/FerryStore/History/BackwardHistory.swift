// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning

/// Rows on their way from the present back into the past, change by change.
struct BackwardHistory {
  /// The rows at the present moment of the way; a row that was not there is missing.
  private(set) var rows: [RecordKey: PastRow]
  /// The local ids that are followed, sorted, by class.
  private let followed: [String: [LocalID]]
  /// The ids that the server chose, by those that rows had before.
  private let aliases: [String: String]
  private let sentFiles: SentFileNames

  /// Begins at the present.
  init(
    of keys: Set<RecordKey>, present: [Record], aliases: [String: String] = [:],
    sentFiles: SentFileNames = SentFileNames()
  ) {
    self.aliases = aliases
    self.sentFiles = sentFiles
    rows = Dictionary(
      present.map { ($0.key, PastRow($0)) },
      uniquingKeysWith: { first, _ in first })
    followed = Dictionary(grouping: keys, by: \.className).mapValues { $0.map(\.localID).sorted() }
  }

  /// The followed rows of a change.
  func keys(of change: Change) -> [RecordKey] {
    guard let localIDs = followed[change.className] else { return [] }
    let start = localIDs.firstPosition { $0 >= change.localIDs.lowerBound }
    return localIDs[start...].prefix { $0 <= change.localIDs.upperBound }
      .map { RecordKey(className: change.className, localID: $0) }
  }

  /// Goes back to the moment before a change.
  mutating func goBack(before logged: LoggedChange) {
    for key in keys(of: logged.change) {
      switch (logged.change.kind, logged.destroyed) {
      case (.insert, _): rows[key] = nil
      case (.update, .update(let old)?) where logged.change.author == .app: rows[key]?.set(old)
      case (.update, .update(let old)?):
        rows[key]?.forget(logged.change.fields, formerly: old, sentFiles) { aliases[$0.objectID] }
      case (.update, _):
        rows[key]?.forget(logged.change.fields, formerly: Fields(), sentFiles) { _ in nil }
      case (.delete, .delete(let old)?): rows[key] = PastRow(old)
      case (.delete, _): rows[key] = .unknown
      }
    }
  }
}

extension Array {
  /// The first position whose element passes a test that all later ones pass, too; the end for none.
  fileprivate func firstPosition(where passes: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if passes(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
