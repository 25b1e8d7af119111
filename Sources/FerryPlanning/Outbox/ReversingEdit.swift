// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The edit of a row by which an app takes its unsent change, or a transaction, back.
package enum ReversingEdit: Sendable, Equatable {
  /// No edit: nothing is different.
  case none
  /// Deletes the row that was not there before.
  case delete
  /// Writes earlier values over those of the row.
  case update(Fields)
  /// Inserts the row that the app deleted, with its earlier values, and its list unless folding knows that.
  case insert(Fields, acl: Value = .null)

  /// The order in which several edits are made: what leaves makes room for what comes back.
  package enum Step: CaseIterable, Sendable {
    case none, delete, update, insert
  }

  package var step: Step {
    switch self {
    case .none: .none
    case .delete: .delete
    case .update: .update
    case .insert: .insert
    }
  }
}
