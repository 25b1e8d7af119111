// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Checks once more whether records are really gone: the next query, and what the answers prove.
///
/// A default limit, a lowered limit or a filter could each make records look gone. So each query
/// names its limit and repeats for missing records until no more appear. The server's count must
/// agree that nothing is left, and a known record must appear.
package struct AbsenceCheck {
  package enum Conclusion: Equatable {
    /// These records are gone; all others appeared.
    case gone([String])
    /// The known record did not appear, so nothing can be concluded.
    case untrustworthy
    /// The server counts records that it does not show.
    case hidden
  }

  private let candidates: [String]
  private let canary: String?
  private var unseen: Set<String>
  /// Whether the server is asked to count them.
  package let counts: Bool
  /// How many of the last requested records the server counted.
  private var left: Int?
  private var isComplete = false

  /// - Parameters:
  ///   - candidates: The records that seem to be gone.
  ///   - canary: A record known to exist; nil if all records of the class seem to be gone.
  ///   - counts: Whether the server may be asked to count.
  package init(_ candidates: [String], canary: String?, counts: Bool) {
    self.candidates = candidates
    self.canary = canary
    self.counts = counts
    unseen = Set(candidates).union(canary.map { [$0] } ?? [])
  }

  /// The records to ask for next, in the order of their ids; nil when the conclusion stands.
  package var wanted: [String]? { isComplete || unseen.isEmpty ? nil : unseen.sorted() }

  package mutating func take(shown: [String], count: Int?) {
    let before = unseen.count
    unseen.subtract(shown)
    left = count.map { $0 - (before - unseen.count) }
    isComplete = unseen.count == before || left == 0
  }

  package var conclusion: Conclusion {
    if let canary, unseen.contains(canary) { return .untrustworthy }
    if let left, left > 0 { return .hidden }
    return .gone(candidates.filter(unseen.contains))
  }
}
