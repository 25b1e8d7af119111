// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// Sockets between programs of this machine.
package enum LocalSocket {
  /// Listens at a port; 0 is any free one.
  package static func listen(at port: UInt16) throws -> (listener: Int32, port: UInt16) {
    let listener = make()
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = address(port)
    guard with(&address, { bind(listener, $0, $1) == 0 }), Foundation.listen(listener, 64) == 0
    else {
      throw POSIXError(.EADDRINUSE)
    }
    var bound = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &bound) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        getsockname(listener, $0, &length)
      }
    }
    return (listener, UInt16(bigEndian: bound.sin_port))
  }

  /// A connection to a port; nil where nobody listens.
  static func connect(to port: UInt16) -> Int32? {
    let connection = make()
    var address = address(port)
    guard with(&address, { Foundation.connect(connection, $0, $1) == 0 }) else {
      _ = close(connection)
      return nil
    }
    return connection
  }

  /// The next bytes; nil at the end of the connection.
  static func receive(from socket: Int32) -> Data? {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket, &bytes, bytes.count, 0)
    return count > 0 ? Data(bytes.prefix(count)) : nil
  }

  /// Sends bytes.
  ///
  /// - Returns: Whether the other side still took them all.
  @discardableResult
  static func send(_ bytes: Data, to socket: Int32) -> Bool {
    var left = [UInt8](bytes)[...]
    while !left.isEmpty {
      let count = left.withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      left = left.dropFirst(count)
    }
    return true
  }

  private static func make() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0) }

  private static func address(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func with<Result>(
    _ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
