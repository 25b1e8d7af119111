// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension HistoryExtent {
  /// How much history is kept, and a line for each named reader that has not merged all of it.
  func lines(byteCount: Int64?) -> [String] {
    guard count > 0 else { return [] }
    let size = byteCount.map { ", \(ReportText.size(Int($0)))" } ?? ""
    let age = since.map { ", some of it since \($0)" } ?? ""
    let kept = "History: \(Int(count).counted("change", "changes"))\(size)\(age)."
    return [kept]
      + unread.map { "The reader \($0.name) has yet to merge \($0.count.grouped) of them." }
  }

  /// The readers that are behind, and by how many changes.
  private var unread: [(name: String, count: Int)] {
    readers.sorted { $0.key < $1.key }.compactMap { name, token in
      let rest = Int(last.rawValue - max(token.rawValue, prunedThrough.rawValue))
      return rest > 0 ? (name, rest) : nil
    }
  }

  func json(byteCount: Int64?) -> Value {
    .object([
      "changes": .integer(count), "bytes": byteCount.map { .integer($0) } ?? .null,
      "last_token": .integer(last.rawValue),
      "since": since.map { .string($0.description) } ?? .null,
      "readers": .object(readers.mapValues { .integer($0.rawValue) }),
    ])
  }
}
