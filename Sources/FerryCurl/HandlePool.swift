// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The multi handles that no run is using, with the connections they keep open.
///
/// A run borrows one for itself alone, so several threads may run at once; the one given back last is
/// lent first, because its connections are the freshest.
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
