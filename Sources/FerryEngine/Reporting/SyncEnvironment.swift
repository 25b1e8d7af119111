// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import Foundation

/// Where a coordinator gets the time and chance from; a test or a simulator gives its own.
public struct SyncEnvironment: Sendable {
  /// The present moment.
  ///
  /// Only ever compared with moments of this same clock, never with the server's.
  public var now: @Sendable () -> Timestamp
  /// Seconds that only go forward, for measuring durations.
  public var uptime: @Sendable () -> Double
  /// The next random number.
  public var random: @Sendable () -> UInt64

  /// An environment of one's own.
  public init(
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Double,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.now = now
    self.uptime = uptime
    self.random = random
  }

  /// The device's clock and the system's random numbers.
  public static let live = SyncEnvironment(
    now: { Timestamp(Date()) },
    uptime: { ProcessInfo.processInfo.systemUptime },
    random: {
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    })
}

extension SyncEnvironment {
  /// An id that nobody else makes: 20 hexadecimal digits.
  func mintID() -> String {
    var generator = Generator(environment: self)
    return MintedID.make(using: &generator)
  }

  private struct Generator: RandomNumberGenerator {
    let environment: SyncEnvironment
    mutating func next() -> UInt64 { environment.random() }
  }
}
