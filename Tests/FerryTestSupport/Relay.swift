// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Synchronization

/// A way to a server that can be closed and opened again, always at the same port.
///
/// While it is closed, nobody can connect, as with a server that does not run.
package final class Relay: Sendable {
  private struct State {
    var listener: Int32 = -1
    var connections: Set<Int32> = []
  }

  private let state = Mutex(State())
  private let target: UInt16
  private let delay: UInt32
  private let path: String
  package let port: UInt16

  /// Opens a way to a server of this machine.
  ///
  /// - Parameters:
  ///   - server: The server's address.
  ///   - delay: How long each part of an answer is under way.
  /// - Throws: An error of the system if no port can be opened.
  package init(to server: URL, delay: Duration = .zero) throws {
    self.delay = UInt32(delay / .microseconds(1))
    target = UInt16(server.port ?? 0)
    path = server.path
    let (listener, port) = try LocalSocket.listen(at: 0)
    self.port = port
    begin(listener)
  }

  deinit { close() }

  /// The server's address by this way.
  package var url: URL { URL(string: "http://127.0.0.1:\(port)\(path)") ?? URL(filePath: "/") }

  /// Ends all connections, and takes none.
  package func close() {
    state.withLock { state in
      // The threads that use the sockets close them: here, a number might be another socket's already.
      for socket in state.connections { shutdown(socket, Int32(SHUT_RDWR)) }
      if state.listener >= 0 { shutdown(state.listener, Int32(SHUT_RDWR)) }
      state.listener = -1
    }
  }

  /// Takes connections again, at the same port.
  package func open() throws { begin(try LocalSocket.listen(at: port).listener) }

  private func begin(_ listener: Int32) {
    state.withLock { $0.listener = listener }
    Thread.detachNewThread { [weak self] in
      defer { _ = Foundation.close(listener) }
      while true {
        let near = accept(listener, nil, nil)
        guard near >= 0 else { return }
        self?.connect(near, of: listener)
      }
    }
  }

  private func connect(_ near: Int32, of listener: Int32) {
    guard let far = LocalSocket.connect(to: target) else {
      _ = Foundation.close(near)
      return
    }
    let isWanted = state.withLock { state in
      guard state.listener == listener else { return false }
      state.connections.formUnion([near, far])
      return true
    }
    guard isWanted else {
      _ = (Foundation.close(near), Foundation.close(far))
      return
    }
    let threads = DispatchGroup()
    for (from, to, delay) in [(near, far, 0), (far, near, delay)] {
      threads.enter()
      Thread.detachNewThread {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = recv(from, &bytes, bytes.count, 0), count > 0 {
          if delay > 0 { usleep(delay) }
          guard send(to, bytes, count, Int32(MSG_NOSIGNAL)) == count else { break }
        }
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(to, Int32(SHUT_RDWR))
        threads.leave()
      }
    }
    threads.notify(queue: .global()) { [weak self] in
      self?.state.withLock { $0.connections.subtract([near, far]) }
      _ = (Foundation.close(near), Foundation.close(far))
    }
  }
}
