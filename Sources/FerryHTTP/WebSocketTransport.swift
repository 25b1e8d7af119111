// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// Opens websockets: the port between Ferry and a network for messages that a server sends by itself.
public protocol WebSocketTransport: Sendable {
  /// Begins to open a connection, and returns at once.
  ///
  /// - Parameters:
  ///   - url: The address, with the scheme `ws` or `wss`.
  ///   - limits: What the connection may need.
  /// - Returns: The connection, whose events say how it goes on.
  func connect(to url: URL, limits: WebSocketLimits) -> any WebSocketConnection
}

/// One websocket, from the beginning to its end.
public protocol WebSocketConnection: Sendable {
  /// What happens, in its order; the last event is `closed`. Only one task may read it.
  var events: AsyncStream<WebSocketEvent> { get }

  /// Sends a text as one message once the connection is open; it does nothing after the end.
  func send(_ text: String)

  /// Ends the connection; does nothing after the end. Any thread may call it.
  func close()
}

/// An event of a websocket.
public enum WebSocketEvent: Sendable, Equatable {
  /// The server has accepted the connection.
  case opened
  /// A whole message of text came, as UTF-8.
  case text(Data)
  /// The connection is over; the text says why.
  case closed(reason: String)
}

/// The limits of a websocket.
///
/// Beyond one of them, the connection ends with its reason.
public struct WebSocketLimits: Sendable, Equatable {
  /// The greatest size of a message in bytes; 1 MiB by default.
  public var messageBytes: Int
  /// How many messages may wait until they are read; 1,000 by default.
  public var waitingMessages: Int
  /// How long the server may take to accept the connection, in whole seconds; 15 s by default.
  public var connectTimeout: Duration
  /// How long the server may be silent, in whole seconds; 30 s by default.
  ///
  /// After two thirds of it, the transport sends a ping, which each server answers.
  public var silence: Duration

  /// Limits that suit messages which name a record.
  public init(
    messageBytes: Int = 1 << 20, waitingMessages: Int = 1_000,
    connectTimeout: Duration = .seconds(15), silence: Duration = .seconds(30)
  ) {
    self.messageBytes = messageBytes
    self.waitingMessages = waitingMessages
    self.connectTimeout = connectTimeout
    self.silence = silence
  }
}
