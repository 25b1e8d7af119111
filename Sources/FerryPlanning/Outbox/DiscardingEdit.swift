// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// The edit of a row by which an app takes its unsent change back.
package enum DiscardingEdit: Sendable, Equatable {
  /// Nothing is to be done: the app has edited nothing.
  case none
  /// Deletes the row that the server does not have.
  case delete
  /// Writes the server's values over those of the row.
  case update(Fields)
  /// Inserts the row that the app deleted, with the server's values.
  case insert(Fields)
}
