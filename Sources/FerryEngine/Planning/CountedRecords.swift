// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse

extension Entity {
  /// Narrows a question of the comparison to the records that belong here.
  ///
  /// In a class with a filter those marked as deleted are left out: they are still there, and
  /// have no row.
  func counted(_ constraint: ParseConstraint, of filter: ParseConstraint?) -> ParseConstraint {
    guard let filter else { return constraint }
    var parts = [constraint, filter]
    if case .softDelete(let flag) = deletionStrategy {
      parts.append(.any([.equal(flag, .null), .equal(flag, .boolean(false))]))
    }
    return .all(parts)
  }

  /// Whether its counts here and on the server are compared in every run.
  ///
  /// With a filter also where deletions need no looking for: a record that leaves the filter there is
  /// in no listing.
  var countsEachTime: Bool {
    switch deletionStrategy {
    case .counting: true
    case .softDelete: recordFilter != nil
    case .fullScan, .never: false
    }
  }
}
