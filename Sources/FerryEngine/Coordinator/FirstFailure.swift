// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// The first error of a chain of operations; later operations do nothing.
final class FirstFailure: Sendable {
  private let state = Mutex<SyncError?>(nil)

  var error: SyncError? { state.withLock { $0 } }

  func note(_ error: SyncError) {
    state.withLock { if $0 == nil { $0 = error } }
  }
}
