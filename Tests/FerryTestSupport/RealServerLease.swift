// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import Synchronization

/// A real server for one user at a time, who returns it with the last reference to the lease.
///
/// Starting a server takes seconds. So a few returned servers keep running for the next user who
/// wants the same options. All of them end with the process.
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

  deinit {
    // Servers that nobody uses must leave places for `RealServer.running`, which would wait for ever.
    guard let surplus = Self.add(server) else { return }
    Thread.detachNewThread { try? surplus.stop() }
  }

  /// Adds a server to the idle ones, and takes the one that waited longest if they are too many now.
  private static func add(_ server: RealServer) -> RealServer? {
    idle.withLock {
      $0.append(server)
      return $0.count > mostIdle ? $0.removeFirst() : nil
    }
  }

  private static func takeOldest() -> RealServer? {
    idle.withLock { $0.count >= mostIdle ? $0.removeFirst() : nil }
  }
}
