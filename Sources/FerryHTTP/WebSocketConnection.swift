// Ferry: offline-first sync for Parse Server. MIT licence.

/// One websocket, from the beginning to its end.
public protocol WebSocketConnection: Sendable {
  /// The events in their order; the last one is `closed`.
  ///
  /// Only one task may read them.
  var events: AsyncStream<WebSocketEvent> { get }

  /// Sends a text as one message once the connection is open; it does nothing after the end.
  func send(_ text: String)

  /// Ends the connection; does nothing after the end. Any thread may call it.
  func close()
}
