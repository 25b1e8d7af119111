// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
import Synchronization

/// A server on plain sockets that treats connections as a script says, even wrongly.
///
/// The script runs on its own thread for each connection. The server closes the connection when the
/// script returns.
package final class ScriptedServer: Sendable {
  package typealias Script = @Sendable (WireConnection) -> Void

  package let port: UInt16
  private let listener: Int32
  private let script: Script
  private let state = Mutex(State())

  private struct State {
    var isStopped = false
    var connections: [WireConnection] = []
    var requests: [WireRequest] = []
  }

  package struct SocketError: Error {
    package let call: String
    package let number: Int32
  }

  package init(_ script: @escaping Script) throws {
    self.script = script
    (listener, port) = try listeningSocket()
    Thread.detachNewThread { [self] in acceptAll() }
  }

  package var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  package func url(_ path: String) -> URL { url.appending(path: path) }

  /// The number of connections so far.
  package var connectionCount: Int { state.withLock(\.connections.count) }

  /// Every request that was read completely.
  package var requests: [WireRequest] { state.withLock(\.requests) }

  fileprivate func note(_ request: WireRequest) { state.withLock { $0.requests.append(request) } }

  private func acceptAll() {
    // Only the accepting thread closes the socket; elsewhere, its number might already be another
    // socket's.
    defer { close(listener) }
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let connection: WireConnection? = state.withLock { state in
        guard !state.isStopped else { return nil }
        let connection = WireConnection(descriptor, number: state.connections.count + 1, self)
        state.connections.append(connection)
        return connection
      }
      guard let connection else { return _ = close(descriptor) }
      Thread.detachNewThread { [script] in
        script(connection)
        connection.end()
      }
    }
  }

  /// Ends all connections and stops listening.
  package func stop() {
    let connections = state.withLock { state in
      state.isStopped = true
      return state.connections
    }
    shutdown(listener, Int32(SHUT_RDWR))
    for connection in connections { connection.hangUp() }
  }
}

/// Runs a body with a server, and stops the server afterwards.
package func withServer<Value>(
  _ script: @escaping ScriptedServer.Script, _ body: (ScriptedServer) throws -> Value
) throws -> Value {
  let server = try ScriptedServer(script)
  defer { server.stop() }
  return try body(server)
}

/// A socket that listens on a free port of this machine.
private func listeningSocket() throws -> (descriptor: Int32, port: UInt16) {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  guard descriptor >= 0 else { throw ScriptedServer.SocketError(call: "socket", number: errno) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && listen(descriptor, 128) == 0
        && getsockname(descriptor, $0, &length) == 0
    }
  }
  guard isBound else { throw ScriptedServer.SocketError(call: "bind", number: errno) }
  return (descriptor, UInt16(bigEndian: address.sin_port))
}

/// The server's side of one connection.
package final class WireConnection: Sendable {
  /// The number of the connection, from 1.
  package let number: Int
  private let descriptor: Int32
  private let server: ScriptedServer
  private let buffer = Mutex<[UInt8]>([])
  private let isEnded = Mutex(false)

  fileprivate init(_ descriptor: Int32, number: Int, _ server: ScriptedServer) {
    self.descriptor = descriptor
    self.number = number
    self.server = server
  }

  /// Reads the next request completely; nil if the client has disconnected.
  package func readRequest() -> WireRequest? {
    buffer.withLock { buffer in
      while true {
        if let request = WireRequest(takenFrom: &buffer, connection: number) {
          server.note(request)
          return request
        }
        guard receive(into: &buffer) else { return nil }
      }
    }
  }

  /// Reads that many bytes, and no more than the client sends; false if the client has disconnected.
  package func read(_ count: Int) -> Bool {
    buffer.withLock { buffer in
      while buffer.count < count { guard receive(into: &buffer) else { return false } }
      return true
    }
  }

  private func receive(into buffer: inout [UInt8]) -> Bool {
    var part = [UInt8](repeating: 0, count: 65536)
    let count = recv(descriptor, &part, part.count, 0)
    guard count > 0 else { return false }
    buffer += part[..<count]
    return true
  }

  /// Writes text; false if the client has disconnected.
  @discardableResult
  package func write(_ text: String) -> Bool { write(Array(text.utf8)) }

  @discardableResult
  package func write(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }

  /// Answers with a body of the right length.
  @discardableResult
  package func answer(_ status: Int = 200, _ body: String = "{}", headers: String = "") -> Bool {
    write(
      "HTTP/1.1 \(status) Any\r\n\(headers)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  /// Sends nothing until the client disconnects.
  package func stall() {
    var part = [UInt8](repeating: 0, count: 1)
    while recv(descriptor, &part, 1, 0) > 0 {}
  }

  /// Lets the connection end with a reset instead of a proper end, once the script returns.
  package func resetAtEnd() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  /// Ends the script's waiting, from another thread.
  fileprivate func hangUp() {
    isEnded.withLock { isEnded in
      if !isEnded { shutdown(descriptor, Int32(SHUT_RDWR)) }
    }
  }

  /// Closes the connection, on the thread of the script.
  fileprivate func end() {
    isEnded.withLock { isEnded in
      isEnded = true
      close(descriptor)
    }
  }
}
