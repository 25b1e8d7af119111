// Ferry: offline-first sync for Parse Server. MIT licence.

/// The way of an app's error through a function that throws `StoreError` alone.
///
/// The function learns that a closure has failed, and undoes its work. The caller gets the closure's
/// own error.
package struct ErrorPassage {
  private var error: (any Error)?

  package init() {}

  /// Runs a closure, and keeps its error.
  package mutating func run<Result>(_ body: () throws -> Result) throws(StoreError) -> Result {
    do {
      return try body()
    } catch {
      self.error = error
      throw StoreError(
        .database, "The closure failed, so nothing of it was kept: \(error).", cause: error)
    }
  }

  /// The error for the caller: the closure's own one, or else that of the store.
  package func result(of error: StoreError) -> any Error { self.error ?? error }
}
