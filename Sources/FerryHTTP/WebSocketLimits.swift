// Ferry: offline-first sync for Parse Server. MIT licence.

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
