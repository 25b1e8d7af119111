// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation
import LoopbackParse
import Testing

/// The double's websockets, byte by byte.
@Suite(.timeLimit(.minutes(1)))
struct LiveConnectionTests {
  @Test func `a connection on which nothing happens costs nothing`() throws {
    var configuration = LoopbackConfiguration()
    configuration.liveQueryClasses = [".*"]
    let server = try LoopbackServer(configuration)
    defer { server.stop() }
    let client = try RawConnection(to: server.url)
    defer { client.close() }
    client.send(
      "GET /parse HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")
    let answer = client.received(within: 2)
    #expect(String(decoding: answer.prefix(12), as: UTF8.self) == "HTTP/1.1 101")
    // A ping is of two bytes, and none is due before ten seconds.
    let head = "\r\n\r\n".utf8.count
    let end = answer.indices.first { answer[$0...].starts(with: "\r\n\r\n".utf8) }
    #expect(end.map { answer.count - $0 - head } == 0)
  }
}

private struct RawConnection {
  private let socket: Int32

  init(to url: String) throws {
    let port = try #require(URL(string: url)?.port)
    socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let socket = socket
    let result = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(result == 0)
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = Foundation.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// All that comes until nothing does for some seconds.
  func received(within seconds: Int) -> [UInt8] {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 100_000 {
      let count = recv(socket, &piece, piece.count, 0)
      guard count > 0 else { break }
      bytes += piece.prefix(count)
    }
    return bytes
  }

  func close() { _ = Foundation.close(socket) }
}
