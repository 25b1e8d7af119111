// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// Opens websockets: the port between Ferry and a network for messages that a server sends by itself.
public protocol WebSocketTransport: Sendable {
  /// Begins to open a connection, and returns at once.
  ///
  /// - Parameters:
  ///   - url: The address, with the scheme `ws` or `wss`.
  ///   - limits: The limits of the connection.
  /// - Returns: The connection, whose events say how it goes on.
  func connect(to url: URL, limits: WebSocketLimits) -> any WebSocketConnection
}
