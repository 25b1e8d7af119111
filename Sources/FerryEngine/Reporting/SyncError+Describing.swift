// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryStore

extension SyncError {
  /// The run's error for whatever a stage threw.
  package init(describing error: any Error) {
    switch error {
    case let error as SyncError: self = error
    case let error as StoreError: self.init(error)
    case let error as HTTPError: self.init(error)
    default:
      self.init(
        .internalError,
        "Something unexpected stopped the sync: \(error). What was done until then is kept. "
          + "Please report this with the text of this message.",
        cause: error)
    }
  }

  init(_ error: StoreError) {
    let code: Code =
      error.code == .busy ? .busy : error.code == .invalidSchema ? .configuration : .localStorage
    self.init(code, error.message, cause: error)
  }
}
