// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

extension SyncError {
  /// The run's error for what a store threw, of its own or out of a transaction.
  ///
  /// A transaction may end the run by a `SyncError`. Whatever else comes out of it, the store could
  /// not do what it was told to.
  init(ofStore error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case let error as StoreError: self.init(error)
    default:
      self.init(
        .localStorage,
        "The store could not be read or written: \(error). Its last transaction was undone, and all "
          + "that was done before is kept. Check the disk and the file, then sync again.",
        cause: error)
    }
  }

  /// The run's error for a failure of the store.
  init(_ error: StoreError) {
    let code: Code =
      error.code == .busy ? .busy : error.code == .invalidSchema ? .configuration : .localStorage
    self.init(code, error.message, cause: error)
  }
}
