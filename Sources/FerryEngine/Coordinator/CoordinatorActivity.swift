// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Synchronization

/// The present work of a coordinator, for everybody who looks.
final class CoordinatorActivity: Sendable {
  fileprivate struct Content {
    var isSyncing = false
    var progress: SyncState.Progress?
    /// The class in its stage, with the place and time at which it was seen first.
    var start: (stage: StageName, className: String, done: Int, seconds: Double)?
    /// The activity between two syncs.
    var atRest = SyncState.Activity.idle(nextSync: nil)
  }

  private let content = Mutex(Content())
  /// Signals each change.
  let changes = Broadcast<Void>()
  private let uptime: @Sendable () -> Double

  init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

  /// The present activity.
  var present: SyncState.Activity {
    content.withLock { $0.isSyncing ? .syncing($0.progress) : $0.atRest }
  }

  /// Takes note of the activity between two syncs.
  func rest(_ activity: SyncState.Activity) { change { $0.atRest = activity } }

  /// Takes note of an event of a sync.
  func note(_ event: SyncEvent, _ bytes: (down: Int, up: Int)) {
    switch event {
    case .started:
      change { $0.isSyncing = true }
    case .progress(let progress):
      let now = uptime()
      change { $0.note(progress, bytes, at: now) }
    case .completed, .failed:
      change { ($0.isSyncing, $0.progress, $0.start) = (false, nil, nil) }
    default: break
    }
  }

  private func change(_ body: (inout Content) -> Void) {
    content.withLock { body(&$0) }
    changes.send(())
  }
}

extension CoordinatorActivity.Content {
  fileprivate mutating func note(
    _ progress: SyncProgress, _ bytes: (down: Int, up: Int), at now: Double
  ) {
    if start?.stage != progress.stage || start?.className != progress.className {
      start = (progress.stage, progress.className, progress.done, now)
    }
    self.progress = SyncState.Progress(
      position: progress, bytesDown: bytes.down, bytesUp: bytes.up,
      timeLeft: timeLeft(progress, at: now))
  }

  /// The time for the records that are left; nil before a second has shown the pace.
  private func timeLeft(_ progress: SyncProgress, at now: Double) -> Duration? {
    guard let start, let expected = progress.expected else { return nil }
    let (seconds, done) = (now - start.seconds, progress.done - start.done)
    guard seconds >= 1, done > 0 else { return nil }
    return .seconds(seconds / Double(done) * Double(max(expected - progress.done, 0)))
  }
}
