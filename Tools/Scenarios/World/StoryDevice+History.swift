// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

// Named readers of history, such as an app's search index.
extension StoryDevice {
  func readHistory(_ reading: HistoryReading, by readerName: String) throws {
    try learnRows()
    let reader = store.historyReader(readerName)
    switch reading {
    case .reads(let expected):
      let page = try reader.unread()
      let rows = Set(page.transactions.flatMap(\.changes).flatMap(names(of:))).sorted()
      guard rows == Set(expected).sorted() else {
        let read = rows.isEmpty ? "nothing" : rows.joined(separator: ", ")
        throw StoryFault("the reader \(readerName) of \(name) reads \(read)")
      }
      try reader.markMerged(page)
    case .isTooLate: try expectRefusal(.historyPruned) { _ = try reader.unread() }
    case .startsOver: try reader.startOver { _ in }
    }
  }

  private func names(of change: Change) -> [String] {
    (change.localIDs.lowerBound.rawValue...change.localIDs.upperBound.rawValue).map { number in
      names.name(of: change.className, localID: LocalID(rawValue: number), on: name) ?? "?"
    }
  }
}
