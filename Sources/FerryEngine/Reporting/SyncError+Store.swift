// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

extension SyncError {
  /// The run's error for a failure of the store.
  init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .busy: .busy
      case .invalidSchema: .configuration
      case .diskFull: .diskFull
      default: .localStorage
      }
    self.init(code, error.message, cause: error)
  }

  /// The extent of a refusal by a rule of another program; nil for any other failure.
  var refusal: StoreError.Refusal? { (cause as? StoreError)?.refusal }
}
