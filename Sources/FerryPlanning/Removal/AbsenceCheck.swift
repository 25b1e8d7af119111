// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Asks once more whether records are really gone: the next question, and what the answers prove.
///
/// A default limit, a lowered limit or a filter behind the answer would each make records look gone. So
/// the limit is named, what is not shown is asked for again until nothing more comes, the server's
/// count has to agree that nothing is left, and a record known to be there has to appear.
package struct AbsenceCheck {
  package enum Conclusion: Equatable {
    /// These are gone; all others were shown.
    case gone([String])
    /// The record known to be there was not shown, so nothing can be concluded.
    case untrustworthy
    /// The server counts records that it does not show.
    case hidden
  }

  private let candidates: [String]
  private let canary: String?
  private var unseen: Set<String>
  /// Whether the server is asked to count them.
  package let counts: Bool
  /// How many of the records asked for last the server counted.
  private var left: Int?
  private var isComplete = false

  /// - Parameters:
  ///   - candidates: The records that seem to be gone.
  ///   - canary: A record known to be there; nil where all of the class seem to be gone.
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
