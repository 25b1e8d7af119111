// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
public import Foundation
import Synchronization

/// A clock that only moves when a test moves it, for devices and the server.
public final class ManualClock: Sendable {
  private let state: Mutex<Date>

  /// Starts at a moment; by default one in 2026.
  public init(_ start: Date = Date(timeIntervalSince1970: 1_780_000_000)) { state = Mutex(start) }

  /// The present moment.
  public var now: Date { state.withLock { $0 } }

  /// Lets time pass.
  public func advance(seconds: Double) { state.withLock { $0 += seconds } }

  /// An environment for a device that uses this clock.
  public var environment: SyncEnvironment {
    SyncEnvironment(
      now: { Timestamp(self.now) }, uptime: { self.now.timeIntervalSince1970 },
      random: SyncEnvironment.live.random)
  }
}
