// Ferry: offline-first sync for Parse Server. MIT licence.

internal import CMicroHTTPD

/// The action of an HTTP daemon on a request.
enum HTTPAction {
  case send(LoopbackResponse)
  /// Make a websocket of the connection, for which the text is the proof of the server.
  case upgrade(accept: String)
  /// Close the connection without an answer.
  case drop
  /// Send a head that promises the whole body, a part of the body, and close the connection.
  case cut(LoopbackResponse, bytes: Int)
}
