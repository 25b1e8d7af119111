// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// A change of a field that the server carries out on the value that it has.
package enum FieldOperation: Sendable, Equatable {
  /// Adds a number; a missing value counts as 0.
  case increment(by: Value)

  /// The operation that brings a field from the server's value to the row's; nil where the value itself has to be sent.
  ///
  /// - Parameters:
  ///   - merge: The field's merge.
  ///   - base: The server's value before the edits.
  ///   - local: The row's value.
  package init?(_ merge: FieldMerge?, from base: Value, to local: Value) {
    switch merge {
    case .increment:
      guard let amount = Increment.amount(from: base, to: local) else { return nil }
      self = .increment(by: amount)
    case .set, .lines, nil: return nil
    }
  }
}
