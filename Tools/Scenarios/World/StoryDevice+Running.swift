// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import Synchronization

// A device that syncs by itself for a time.
extension StoryDevice {
  func run(_ step: RunByItself) throws {
    let coordinator = coordinator
    var schedule = SyncSchedule(interval: .seconds(1))
    schedule.shortestPause = .seconds(1)
    let times = schedule
    network.beginRun()
    let began = Mutex<[SyncRun]>([])
    let (runs, run) = AsyncStream.makeStream(of: SyncRun.self)
    let running = Task {
      await coordinator.run(times) { one in
        began.withLock { $0.append(one) }
        run.yield(one)
      }
      run.finish()
    }
    let waking = Task { try await wake(coordinator, step.wakeUpsPerSecond) }
    let noticing = Task { [world, name] in
      for await one in runs {
        _ = try? await one.report
        // The coordinator notes the end of a sync, and then waits for most of a second.
        try? await Task.sleep(for: .milliseconds(200))
        _ = world.reached(.waiting, on: name)
      }
    }
    _ = blocking { try await Task.sleep(for: step.duration) }
    waking.cancel()
    running.cancel()
    _ = blocking {
      await running.value
      await noticing.value
    }
    let count = began.withLock(\.count)
    if let syncs = step.syncs, !syncs.contains(count) {
      throw StoryFault("it synced \(count) times by itself")
    }
  }

  /// Calls `wakeUp()` that many times in each second, until the task is cancelled.
  private func wake(_ coordinator: SyncCoordinator, _ perSecond: Int) async throws {
    guard perSecond > 0 else { return }
    let clock = ContinuousClock()
    let start = clock.now
    for number in 0... {
      coordinator.wakeUp()
      try await clock.sleep(until: start + .seconds(1) * number / perSecond)
    }
  }
}
