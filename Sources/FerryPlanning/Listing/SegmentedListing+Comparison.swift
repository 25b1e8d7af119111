// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

// The comparison of versions, before the fresh segment of a listing.
extension SegmentedListing {
  /// Whether versions are listed, or records that differ are asked for.
  var isComparing: Bool {
    switch phase {
    case .opening(.comparison, _), .listing(.comparison), .asking: true
    case .opening, .listing, .stuck, .complete, .stopped: false
    }
  }

  var comparingQuery: ListingQuery? {
    if let records = comparison?.asked { return records.query }
    var query = pager.query
    query?.content = .versions
    return query
  }

  /// The server's time before the first response of what the present segment lists.
  ///
  /// Rows of the comparison were read before those of the fresh segment. A write that comes between the two is found
  /// by the next listing, if that begins before the earlier moment.
  var serverTimeLowerBound: Timestamp? {
    guard let comparison else { return pager.bounds.serverTimeLowerBound }
    guard !isComparing else { return comparison.serverTimeLowerBound }
    guard let first = comparison.serverTimeLowerBound,
      let second = pager.bounds.serverTimeLowerBound
    else { return nil }
    return min(first, second)
  }

  /// Takes a response to the query for records that differ.
  mutating func take(records response: ListingResponse) -> Action {
    guard comparison?.take(records: response) == true, let comparison else {
      phase = .stopped
      return .stop(.disordered, [.discard])
    }
    return continueComparison(
      response.rowCount > 0 ? [.keep(.named(behind: comparison.through))] : [])
  }

  /// All versions were listed, or the server hides too many rows.
  mutating func endVersions(isCounted: Bool, _ edits: [ListingEdit]) -> Action {
    guard let comparison, comparison.isCredible, !pager.counting.hasHidden else {
      return beginWithoutComparison(edits)
    }
    self.comparison?.isListed = true
    earlier.isCounted = earlier.isCounted && isCounted
    return continueComparison(edits)
  }

  /// Lists all rows as a whole: a list of versions does not show them.
  mutating func beginWithoutComparison(_ edits: [ListingEdit]) -> Action {
    let start = comparison?.stamps.lowerBound
    isComparable = false
    comparison = nil
    return begin(.fresh, from: start, edits)
  }

  /// Asks for records that differ, lists more versions, or begins the fresh segment.
  mutating func continueComparison(_ edits: [ListingEdit]) -> Action {
    comparison?.ask()
    guard let comparison, comparison.asked == nil else {
      phase = .asking
      return .query(edits)
    }
    guard comparison.isListed else {
      phase = .listing(.comparison)
      return .query(edits)
    }
    return begin(.fresh, from: comparison.stamps.upperBound, edits)
  }
}
