// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Batches that the server has answered, and that no transaction has recorded yet.
struct HeldAnswers {
  /// How many batches are answered, at most, when a transaction records them.
  private static let most = 20
  /// How long an answer may wait for that, in milliseconds.
  private static let longestHold: Int64 = 250

  private var batches: [AnsweredBatch] = []
  private var since: Timestamp?

  var isEmpty: Bool { batches.isEmpty }

  mutating func hold(_ batch: AnsweredBatch, at now: Timestamp) {
    if batches.isEmpty { since = now }
    batches.append(batch)
  }

  /// Whether few answers have waited, and not for long.
  func isShort(at now: Timestamp) -> Bool {
    guard !isEmpty, let since else { return true }
    let time = now.milliseconds - since.milliseconds
    return batches.count < Self.most && (0..<Self.longestHold).contains(time)
  }

  /// All of them, to be recorded.
  mutating func takeAll() -> [AnsweredBatch] {
    defer { batches = [] }
    return batches
  }
}
