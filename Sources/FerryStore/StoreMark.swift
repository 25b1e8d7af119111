// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

/// The state of a store in a view: in views with equal marks, no row differs.
package struct StoreMark: Sendable, Equatable {
  /// The newest change in history.
  package var token: HistoryToken
  /// The number of the engine's commits.
  ///
  /// History has no entry where the engine gives a row its object id or its dates. This number tells that it may have.
  package var engineCommits: Int64
  /// How often the tables themselves changed: a program may make a column anew, or remove one.
  package var schemaVersion: Int64

  package init(token: HistoryToken, engineCommits: Int64, schemaVersion: Int64 = 0) {
    self.token = token
    self.engineCommits = engineCommits
    self.schemaVersion = schemaVersion
  }

  /// Whether history names all that changed since an earlier mark.
  ///
  /// The token of a store that was restored from a backup may go back.
  func differsOnlyInHistory(from earlier: StoreMark) -> Bool {
    engineCommits == earlier.engineCommits && schemaVersion == earlier.schemaVersion
      && token >= earlier.token
  }
}
