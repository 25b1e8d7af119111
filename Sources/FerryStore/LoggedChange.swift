// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

/// A change in history, with the values that it destroyed.
package struct LoggedChange: Sendable, Equatable {
  package var change: Change
  /// The destroyed values.
  ///
  /// Of a change by the engine, they are known only where it replaced pointers; the server has the others.
  package var destroyed: LogRow.Kind?

  package init(_ change: Change, destroyed: LogRow.Kind?) {
    self.change = change
    self.destroyed = destroyed
  }
}
