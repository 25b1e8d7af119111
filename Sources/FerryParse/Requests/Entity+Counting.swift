// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

extension Entity {
  /// Narrows a query of the comparison to the records that this device keeps.
  ///
  /// In a class with a filter, it leaves out records with the soft-delete mark: they still exist
  /// and have no row.
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
