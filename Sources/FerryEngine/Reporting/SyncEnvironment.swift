// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import Foundation

/// A coordinator's source of time and random numbers; a test or a simulator provides its own.
public struct SyncEnvironment: Sendable {
  /// The present moment.
  ///
  /// The engine compares it only with moments of the same clock, never with the server's.
  public var now: @Sendable () -> Timestamp
  /// Seconds that only increase, for measuring durations.
  public var uptime: @Sendable () -> Double
  /// The next random number.
  public var random: @Sendable () -> UInt64

  /// Makes an environment from the given sources.
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
  /// A new unique id: 20 hexadecimal digits.
  func mintID() -> String {
    var generator = Generator(environment: self)
    return MintedID.make(using: &generator)
  }

  private struct Generator: RandomNumberGenerator {
    let environment: SyncEnvironment
    mutating func next() -> UInt64 { environment.random() }
  }
}
