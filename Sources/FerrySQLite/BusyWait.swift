// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore
import Foundation

/// The wait of a connection while another program writes: five seconds, in small steps.
///
/// SQLite's own wait asks ten times a second. A program that writes without a pause leaves gaps of some
/// microseconds between its transactions, and such a wait would miss them all.
enum BusyWait {
  private static let step: useconds_t = 1000
  /// Each step takes a little longer than it should.
  private static let steps = 4600

  /// Waits for a moment; false after all of them, and where the task that waits for the connection is cancelled.
  static func pause(_ attempt: Int32) -> Bool {
    guard attempt < steps, AccessCancellation.current?.isCancelled != true else { return false }
    usleep(step)
    return true
  }
}
