// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
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
  /// A new stream that signals each change of the device's network; nobody signals in an environment of a test's own.
  ///
  /// A coordinator that runs by itself shortens its pause after a failure then.
  public var networkChanges: @Sendable () -> AsyncStream<Void> = { AsyncStream { _ in } }

  /// Makes an environment from the given sources.
  public init(
    now: @escaping @Sendable () -> Timestamp, uptime: @escaping @Sendable () -> Double,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.now = now
    self.uptime = uptime
    self.random = random
  }

  /// The device's clock and network, and the system's random numbers.
  public static let live: SyncEnvironment = {
    var environment = SyncEnvironment(
      now: { Timestamp(Date()) },
      uptime: { ProcessInfo.processInfo.systemUptime },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      })
    environment.networkChanges = { NetworkWatch.changes() }
    return environment
  }()
}

extension SyncEnvironment {
  /// A random number from 0 up to 1.
  func chance() -> Double { Double(random() >> 11) / Double(1 << 53) }

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
