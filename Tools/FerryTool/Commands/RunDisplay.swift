// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// Shows the events of a run while it goes on.
struct RunDisplay {
  var console: Console
  var stages: [StageName]
  /// Whether the run works on copies: its stages are no news for programs then.
  var isPlan = false

  /// Returns when the run has ended.
  func follow(_ run: SyncRun) async {
    // Programs get fewer lines than people see.
    var lastReason: String?
    var meter = ProgressMeter(stages: stages, interval: console.isJSON ? 0.5 : 0.1)
    for await event in run.events {
      let line = meter.line(after: event, at: ProcessInfo.processInfo.systemUptime)
      if case .progress = event, line == nil { continue }
      if !isPlan || event.isOfPlan, let message = JSONMessage(event) { console.message(message) }
      if let line { console.progress(line.text(width: console.facts.width ?? 80)) }
      if case .retrying(let reason, let delay) = event {
        showRetry(because: reason == lastReason ? nil : reason, after: delay)
        lastReason = reason
      }
      show(event, isOnLine: line != nil && console.showsProgress)
    }
    console.clearProgress()
  }

  /// Says that a request is repeated; the reason once as long as it stays the same.
  private func showRetry(because reason: String?, after delay: Duration) {
    let words = "Trying again in \(ReportText.duration(delay.seconds))."
    console.note(reason.map { "\($0) \(words)" } ?? words)
  }

  /// Whether the lines at the end say the same: each set that is held back, and in a plan each change that it would
  /// park.
  private func isSaidAtTheEnd(_ notice: SyncNotice) -> Bool {
    notice.code == .guarded || isPlan && notice.code == .parked
  }

  /// Shows people the notices; programs have had them as messages.
  private func show(_ event: SyncEvent, isOnLine: Bool) {
    guard !console.isJSON else { return }
    switch event {
    case .notice(let notice) where !isSaidAtTheEnd(notice): console.warning(notice.line)
    case .waiting(let seconds) where !isOnLine: console.note(ReportText.silence(seconds))
    default: break
    }
  }
}

extension SyncEvent {
  /// Whether the event is about the server or the data, not about the stages.
  fileprivate var isOfPlan: Bool {
    switch self {
    case .notice, .retrying, .waiting: true
    default: false
    }
  }
}
