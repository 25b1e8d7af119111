// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension LoopbackRequest {
  /// The proof for a client that asks for a websocket (RFC 6455, section 4.2.2); nil for another request.
  var proofOfWebSocket: String? {
    guard headers["Upgrade"]?.lowercased() == "websocket", let key = headers["Sec-WebSocket-Key"]
    else {
      return nil
    }
    return Data(SHA1.sum(of: Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
      .base64EncodedString()
  }
}
