// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

/// A change in history, with the values that it destroyed.
package struct LoggedChange: Sendable, Equatable {
  package var change: Change
  /// The destroyed values; nil for a change of the engine, whose values the server has.
  package var destroyed: LogRow.Kind?

  package init(_ change: Change, destroyed: LogRow.Kind?) {
    self.change = change
    self.destroyed = destroyed
  }
}
