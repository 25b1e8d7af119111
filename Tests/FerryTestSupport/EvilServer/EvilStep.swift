// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A part of what an evil server does on a connection after it has read a request.
///
/// After the last part, the connection waits for the next request.
package enum EvilStep: Sendable {
  case send([UInt8])
  /// Sends the bytes again and again until the client disconnects.
  case sendEndlessly([UInt8])
  /// Sends one byte at a time, slowly, until the client disconnects.
  case drip(UInt8)
  /// Sends nothing until the client disconnects.
  case stall
  case close
  case reset
  /// Reads the next request, and resets the connection instead of carrying it out.
  case resetAtNextRequest

  static func text(_ text: String) -> EvilStep { .send(Array(text.utf8)) }

  /// Carries the part out; false ends the connection.
  func play(on connection: WireConnection) -> Bool {
    switch self {
    case .send(let bytes): return connection.write(bytes)
    case .sendEndlessly(let bytes):
      while connection.write(bytes) {}
      return false
    case .drip(let byte):
      while connection.write([byte]) { Thread.sleep(forTimeInterval: 0.05) }
      return false
    case .stall:
      connection.stall()
      return false
    case .close: return false
    case .reset:
      connection.resetAtEnd()
      return false
    case .resetAtNextRequest:
      _ = connection.readRequest()
      connection.resetAtEnd()
      return false
    }
  }
}
