// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// An event of a websocket.
public enum WebSocketEvent: Sendable, Equatable {
  /// The server has accepted the connection.
  case opened
  /// A whole message of text came, as UTF-8.
  case text(Data)
  /// The connection is over; the text says why.
  case closed(reason: String)
}
