// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// Makes progress lines from a run's events, with a limit per second.
struct ProgressMeter {
  private let stages: [StageName]
  private let interval: Double
  private var line: ProgressLine?
  private var lastShown = -Double.infinity
  /// When a class began within the stage, and at which count, to tell its rate by.
  private var starts: [String: (seconds: Double, done: Int)] = [:]

  /// - Parameters:
  ///   - stages: The stages that run.
  ///   - interval: Seconds between two lines at least.
  init(stages: [StageName], interval: Double = 0.1) {
    self.stages = stages
    self.interval = interval
  }

  /// The line to show after an event, seconds being those of a clock that only goes forward; nil for
  /// none.
  mutating func line(after event: SyncEvent, at seconds: Double) -> ProgressLine? {
    switch event {
    case .stageStarted(let stage):
      starts = [:]
      line = start(of: stage)
    case .progress(let progress):
      note(progress, at: seconds)
      guard seconds - lastShown >= interval else { return nil }
    case .waiting(let seconds):
      line?.silence = seconds
    default: return nil
    }
    lastShown = seconds
    return line
  }

  private func start(of stage: StageName) -> ProgressLine {
    ProgressLine(
      stage: stage, number: (stages.firstIndex(of: stage) ?? 0) + 1,
      stageCount: max(stages.count, 1))
  }

  private mutating func note(_ progress: SyncProgress, at seconds: Double) {
    var next = start(of: progress.stage)
    next.className = progress.className
    next.done = progress.done
    next.expected = progress.expected
    let start = starts[progress.className] ?? (seconds, progress.done)
    starts[progress.className] = start
    if seconds - start.seconds >= 0.5 {
      next.rate = Int(Double(progress.done - start.done) / (seconds - start.seconds))
    }
    line = next
  }
}
