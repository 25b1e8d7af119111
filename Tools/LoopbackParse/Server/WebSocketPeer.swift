// Ferry: offline-first sync for Parse Server. MIT licence.

internal import CMicroHTTPD
import Foundation
import Synchronization

/// The server's end of a websocket: a thread reads, and any thread may send.
final class WebSocketPeer: Sendable {
  /// A Parse Server sends a ping as often.
  private static let pingSeconds = 10
  private static let messageLimit = 1 << 20

  private let socket: Int32
  private let handle: Mutex<EndingHandle?>

  /// The handle by which the connection ends.
  ///
  /// Safe to move between threads: the thread that takes it out of the lock ends the connection, and only one can.
  private struct EndingHandle: @unchecked Sendable {
    var pointer: OpaquePointer
  }

  init(socket: Int32, handle: OpaquePointer) {
    self.socket = socket
    // The library leaves it without blocking, so that a wait would be a loop.
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) & ~O_NONBLOCK)
    var time = timeval(tv_sec: Self.pingSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(socket, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
    self.handle = Mutex(EndingHandle(pointer: handle))
  }

  /// Reads until the end, and blocks.
  ///
  /// It gives each text, and answers a ping.
  func run(_ early: [UInt8], _ take: (_ text: [UInt8]) -> Void) {
    var bytes = early
    var message: [UInt8] = []
    reading: while true {
      while let frame = try? WebSocketFrame.take(from: &bytes, limit: Self.messageLimit) {
        switch frame.kind {
        case .text, .binary, .continuation:
          message += frame.content
          guard message.count <= Self.messageLimit else { break reading }
          if frame.isLast {
            take(message)
            message = []
          }
        case .ping: send(WebSocketFrame(kind: .pong, content: frame.content))
        case .pong: break
        case .close: break reading
        }
      }
      var piece = [UInt8](repeating: 0, count: 16_384)
      let count = recv(socket, &piece, piece.count, 0)
      if count < 0, errno == EAGAIN || errno == EWOULDBLOCK {
        send(WebSocketFrame(kind: .ping, content: []))
      } else if count <= 0 {
        break
      } else {
        bytes += piece.prefix(count)
      }
    }
    close()
  }

  /// Sends a frame; does nothing after the end.
  func send(_ frame: WebSocketFrame) { send(frame.bytes) }

  /// Sends bytes, also such as are no frame; does nothing after the end.
  func send(_ bytes: [UInt8]) {
    // One at a time, so that no frame is within another.
    handle.withLock { handle in
      guard handle != nil else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes {
          Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard sent > 0 else { return }
        rest = rest.dropFirst(sent)
      }
    }
  }

  /// Ends the connection, from any thread.
  ///
  /// It returns only after the end, also where another thread ends the connection: the daemon may stop then, which frees
  /// the handle.
  func close() {
    handle.withLock { handle in
      guard let ending = handle else { return }
      handle = nil
      shutdown(socket, Int32(SHUT_RDWR))
      ferry_httpd_end_upgrade(ending.pointer)
    }
  }
}
