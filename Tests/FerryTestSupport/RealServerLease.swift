// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// A real server for one user at a time, who returns it with the last reference to the lease.
///
/// Starting a server takes seconds. So a few returned servers keep running for the next user who
/// wants the same options. All of them end with the process.
/// one of the same options, a few of them; the process's end ends them all.
final class RealServerLease: Sendable {
  private static let idle = Mutex<[RealServer]>([])
  private static let mostIdle = 2

  var url: URL { server.url }
  private let server: RealServer

  init(_ options: RealServer.Options) throws {
    let running = Self.idle.withLock { idle in
      idle.firstIndex { $0.options == options }.map { idle.remove(at: $0) }
    }
    if let running {
      server = running
      return
    }
    // The server that waited longest is stopped first.
    while let oldest = Self.takeOldest() { try oldest.stop() }
    server = try RealServer(options)
  }

  deinit { Self.idle.withLock { $0.append(server) } }

  private static func takeOldest() -> RealServer? {
    idle.withLock { $0.count >= mostIdle ? $0.removeFirst() : nil }
  }
}
