// Ferry: offline-first sync for Parse Server. MIT licence.

package import Ferry
import FerryPlanning
import Synchronization

/// A coordinator that runs, and the syncs that it began.
package final class Running: Sendable {
  private let runs = Mutex<[SyncRun]>([])
  private let task = Mutex<Task<Void, Never>?>(nil)

  package init(_ device: Device, _ schedule: SyncSchedule = SyncSchedule()) {
    let coordinator = device.coordinator
    let task = Task {
      await coordinator.run(schedule) { run in self.runs.withLock { $0.append(run) } }
    }
    self.task.withLock { $0 = task }
  }

  package var count: Int { runs.withLock(\.count) }

  /// Waits for the end of the sync of that number, from 0.
  package func result(_ number: Int) async throws -> SyncReport {
    while count <= number { try await Task.sleep(for: .milliseconds(2)) }
    return try await runs.withLock { $0[number] }.report
  }

  /// Ends it, and returns how long that took.
  @discardableResult package func end() async -> Duration {
    let start = ContinuousClock.now
    let task = task.withLock(\.self)
    task?.cancel()
    await task?.value
    return ContinuousClock.now - start
  }
}
