// Ferry: offline-first sync for Parse Server. MIT licence.

/// The limits of one exchange; an exchange that exceeds one ends with an error.
///
/// A faulty or hostile server may send an endless or very slow answer, or a few bytes that unpack
/// to many. These limits stop all of them.
public struct HTTPLimits: Hashable, Sendable {
  /// The greatest size of a body in bytes, counted after unpacking; 8 MiB by default.
  public var bodyBytes: Int
  /// The greatest size of all header lines together in bytes; 64 KiB by default.
  public var headerBytes: Int
  /// The greatest duration from start to end; five minutes by default.
  public var totalTime: Duration
  /// The greatest time to establish a connection, TLS included; 15 s by default.
  public var connectTime: Duration
  /// The minimum speed in bytes a second, up or down; a slower exchange counts as stalled.
  public var minimumSpeed: Int
  /// How long an exchange may be slower than that, in whole seconds, or without any byte; a minute by
  /// default.
  public var slowTime: Duration

  /// Makes limits; a limit that is not given has its default.
  public init(
    bodyBytes: Int = 8 << 20,
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

  /// Makes limits by which a silent server fails a request after the given time, at least a second.
  package init(timeout: Duration) {
    self.init()
    let timeout = max(timeout, .seconds(1))
    connectTime = min(connectTime, timeout)
    slowTime = timeout
    totalTime = max(totalTime, timeout)
  }
}
