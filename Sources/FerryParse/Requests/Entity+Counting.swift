// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// Narrows a question of the comparison to the records that belong here.
  ///
  /// In a class with a filter those marked as deleted are left out: they are still there, and
  /// have no row.
  package func counted(_ constraint: ParseConstraint, of filter: ParseConstraint?)
    -> ParseConstraint
  {
    guard let filter else { return constraint }
    var parts = [constraint, filter]
    if case .softDelete(let flag) = deletionStrategy {
      parts.append(.any([.equal(flag, .null), .equal(flag, .boolean(false))]))
    }
    return .all(parts)
  }
}
