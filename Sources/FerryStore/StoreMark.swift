// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

/// What a view of a store has seen: in views with equal marks, no row differs.
package struct StoreMark: Sendable, Equatable {
  /// The newest change in history.
  package var token: HistoryToken
  /// The number of the engine's commits.
  ///
  /// History has no entry where the engine gives a row its object id or its dates. This number tells that it may have.
  package var engineCommits: Int64

  package init(token: HistoryToken, engineCommits: Int64) {
    self.token = token
    self.engineCommits = engineCommits
  }
}
