// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The multi handles that no run uses at present, with their open connections.
///
/// Each run borrows one for itself, so several threads may run at once. The pool lends the handle
/// that was returned last, because its connections are the freshest.
final class HandlePool: Sendable {
  private let idle = Mutex<[MultiHandle]>([])
  private let connections: Int

  init(connections: Int) {
    self.connections = connections
  }

  func take() throws(CurlCode) -> MultiHandle {
    if let handle = idle.withLock({ $0.popLast() }) { return handle }
    return try MultiHandle(connections: connections)
  }

  func giveBack(_ handle: MultiHandle) {
    idle.withLock { $0.append(handle) }
  }
}
