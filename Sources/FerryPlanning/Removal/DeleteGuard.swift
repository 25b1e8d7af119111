// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Holds back removals that look like an accident until the user confirms exactly that set.
///
/// A pure function. It counts removals by the day, so that a class cannot be emptied in small steps
/// either. A set stays held though the class gains records.
package struct DeleteGuard {
  package let limit: RemovalLimit
  /// The sets that were confirmed.
  package var confirmed: Set<String> = []

  package init(limit: RemovalLimit, confirmed: Set<String> = []) {
    self.limit = limit
    self.confirmed = confirmed
  }

  package enum Action: Equatable {
    case pass
    /// The removals wait; the caller keeps `fewest` and gives it as `whenHeld` to the next decision.
    case hold(GuardedRemoval, fewest: Int)
  }

  /// Decides about removals from a class on one side.
  ///
  /// - Parameters:
  ///   - className: The class.
  ///   - side: The side of the removals.
  ///   - objectIDs: The records to remove.
  ///   - total: The records of the class, including those to remove.
  ///   - whenHeld: The fewest records that the class had while removals were held that are among these; nil if none were.
  ///   - removedToday: The records that went on this day before these.
  /// - Returns: Whether the removals pass.
  package func action(
    _ className: String, on side: GuardedRemoval.Side, removing objectIDs: some Collection<String>,
    of total: Int, whenHeld: Int? = nil, removedToday: Int
  ) -> Action {
    let fewest = min(total, whenHeld ?? total)
    guard exceeds(objectIDs.count, of: fewest, removedToday: removedToday) else { return .pass }
    let name = Self.confirmation(className, on: side, objectIDs)
    guard !confirmed.contains(name) else { return .pass }
    return .hold(
      GuardedRemoval(
        className: className, side: side, count: objectIDs.count, total: total,
        objectIDs: objectIDs.sorted(), confirmation: name), fewest: fewest)
  }

  private func exceeds(_ count: Int, of total: Int, removedToday: Int) -> Bool {
    guard count > 0 else { return false }
    let before = max(total, count) + removedToday
    let removed = count + removedToday
    let empties = count >= total && before >= 5
    if empties && !limit.allowsEmptying { return true }
    return removed > limit.count && Double(removed) > limit.share * Double(before)
  }

  /// The name of a set of removals: independent of the order, and different for different sets.
  package static func confirmation(
    _ className: String, on side: GuardedRemoval.Side, _ objectIDs: some Collection<String>
  ) -> String {
    // An object id cannot contain a line feed, so different sets have different texts.
    let text = objectIDs.sorted().joined(separator: "\n")
    return "\(className)-\(side.rawValue)-\(objectIDs.count)-\(Checksum.text(of: text.utf8))"
  }
}
