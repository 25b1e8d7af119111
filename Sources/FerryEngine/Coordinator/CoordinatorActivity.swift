// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore
import Synchronization

/// The present work of a coordinator, for everybody who looks.
final class CoordinatorActivity: Sendable {
  fileprivate struct Content {
    var lastNumber = 0
    /// The number of the sync that has the store; nil between two.
    var present: Int?
    var progress: SyncState.Progress?
    /// The places and times at which the classes were first seen in the present stage.
    var starts: [String: (done: Int, seconds: Double)] = [:]
    /// The activity between two syncs.
    var atRest = SyncState.Activity.idle(nextSync: nil)
  }

  private let content = Mutex(Content())
  /// Signals each change.
  let changes = Broadcast<Void>()
  /// Signals each sync that has asked the server and come to its end.
  let successes = Broadcast<Void>()
  private let uptime: @Sendable () -> Double

  init(uptime: @escaping @Sendable () -> Double) { self.uptime = uptime }

  /// The present activity.
  var present: SyncState.Activity {
    content.withLock { $0.present == nil ? $0.atRest : .syncing($0.progress) }
  }

  /// Returns once no sync has the store, or when the task is cancelled.
  func waitForRest() async {
    // It listens before it looks for the first time, so it misses no end.
    let changes = changes.stream()
    guard content.withLock({ $0.present != nil }) else { return }
    for await _ in changes where content.withLock({ $0.present == nil }) { return }
  }

  /// Takes note of the activity between two syncs.
  func rest(_ activity: SyncState.Activity) { change { $0.atRest = activity } }

  /// A number for a sync that begins.
  func nextNumber() -> Int {
    content.withLock { content in
      content.lastNumber += 1
      return content.lastNumber
    }
  }

  /// Takes note of an event of the sync of that number; the end of one that never got the store says nothing.
  func note(_ event: SyncEvent, of number: Int, _ bytes: (down: Int, up: Int)) {
    switch event {
    case .started:
      change { ($0.present, $0.progress, $0.starts) = (number, nil, [:]) }
    case .stageStarted:
      change { $0.starts = [:] }
    case .progress(let progress):
      let now = uptime()
      change { $0.note(progress, bytes, at: now) }
    case .completed, .failed:
      change { content in
        guard content.present == number else { return }
        (content.present, content.progress) = (nil, nil)
      }
      if case .completed(let report) = event,
        report.stages.contains(where: { $0.stage == .download })
      {
        successes.send(())
      }
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
    if starts[progress.className] == nil { starts[progress.className] = (progress.done, now) }
    self.progress = SyncState.Progress(
      position: progress, bytesDown: bytes.down, bytesUp: bytes.up,
      timeLeft: timeLeft(progress, at: now))
  }

  /// The time for the records that are left; nil before a second has shown the pace.
  private func timeLeft(_ progress: SyncProgress, at now: Double) -> Duration? {
    guard let start = starts[progress.className], let expected = progress.expected else {
      return nil
    }
    let (seconds, done) = (now - start.seconds, progress.done - start.done)
    guard seconds >= 1, done > 0 else { return nil }
    return .seconds(seconds / Double(done) * Double(max(expected - progress.done, 0)))
  }
}
