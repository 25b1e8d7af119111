// Ferry: offline-first sync for Parse Server. MIT licence.

/// The ceilings of one exchange, beyond which it ends with an error.
///
/// A server, or something that poses as one, can answer without end, too slowly, or with a few
/// bytes that unpack to many. No answer passes these.
public struct HTTPLimits: Hashable, Sendable {
  /// The most bytes of a body, counted after it is unpacked; 64 MiB by default.
  public var bodyBytes: Int
  /// The most bytes of all header lines together; 64 KiB by default.
  public var headerBytes: Int
  /// The longest time from start to end; five minutes by default.
  public var totalTime: Duration
  /// The longest time until a connection stands, TLS included; 15 s by default.
  public var connectTime: Duration
  /// The least bytes a second, up or down, below which an exchange counts as stalled.
  public var minimumSpeed: Int
  /// How long an exchange may stay below the least speed; a minute by default, whole seconds.
  public var slowTime: Duration

  /// Makes limits; what is not given has its default.
  public init(
    bodyBytes: Int = 64 << 20,
    headerBytes: Int = 64 << 10,
    totalTime: Duration = .seconds(300),
    connectTime: Duration = .seconds(15),
    minimumSpeed: Int = 16,
    slowTime: Duration = .seconds(60)
  ) {
    self.bodyBytes = bodyBytes
    self.headerBytes = headerBytes
    self.totalTime = totalTime
    self.connectTime = connectTime
    self.minimumSpeed = minimumSpeed
    self.slowTime = slowTime
  }
}
