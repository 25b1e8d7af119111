// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning

/// When a device that syncs by itself may and must sync; it shares no code with the engine's timetable.
struct ScheduleRules {
  private let longestEditDelay: Double
  private let interval: Double
  private let shortestPause: Double
  private let longestPause: Double
  /// When the first edit came that no sync has begun to send.
  private var firstEdit: Double?
  private var lastEnd: Double?
  /// The failures in a row.
  private var failures = 0
  /// Whether the last sync failed in a way that asks for a pause.
  private var hasFailed = false
  /// When the longest pause after the last sync would end.
  private var latestEnd: Double?
  /// Whether the app or the network said since the last sync began that things may have changed.
  private var mayHaveChanged = false
  /// Whether the app called since the last sync began.
  private var wasWoken = false
  /// Whether no sync can succeed until a person acts.
  private var needsPerson = false

  init(_ schedule: SyncSchedule) {
    longestEditDelay = schedule.longestEditDelay / .seconds(1)
    interval = schedule.interval / .seconds(1)
    shortestPause = schedule.shortestPause / .seconds(1)
    longestPause = schedule.longestPause / .seconds(1)
  }

  // MARK: Events

  mutating func edited(at now: Double) { firstEdit = firstEdit ?? now }

  mutating func woken() {
    mayHaveChanged = true
    wasWoken = true
    needsPerson = false
  }

  mutating func networkChanged() { mayHaveChanged = true }

  mutating func succeeded() {
    failures = 0
    hasFailed = false
    latestEnd = nil
    needsPerson = false
  }

  /// A look found no change that a sync could send now.
  mutating func foundNothing() { firstEdit = nil }

  // MARK: Syncs

  /// A sync begins.
  mutating func begins(on letter: String, at now: Double) throws(Violation) {
    if needsPerson {
      throw Violation(.offSchedule, "\(letter) syncs, although a person must act first")
    }
    if let lastEnd, hasFailed {
      let shortest = mayHaveChanged ? min(step / 2, 30) : step / 2
      guard now >= lastEnd + shortest - 0.01 else {
        throw Violation(
          .offSchedule,
          "\(letter) syncs \(now - lastEnd) s after its failure number \(failures) in a row")
      }
    }
    firstEdit = nil
    (mayHaveChanged, wasWoken) = (false, false)
  }

  mutating func ended(_ result: Result<SyncReport, SyncError>?, at now: Double) {
    lastEnd = now
    latestEnd = nil
    hasFailed = false
    switch result {
    case .failure(let error) where error.code == .busy || error.code == .cancelled:
      latestEnd = now + shortestPause
    case .failure(let error) where error.code.needsPerson: needsPerson = !wasWoken
    case .failure(let error):
      failures += 1
      hasFailed = true
      latestEnd = now + max(step, (error.retryAfter ?? .zero) / .seconds(1))
    case .success, nil: failures = 0
    }
  }

  /// The longest pause after this number of failures.
  private var step: Double {
    var step = shortestPause
    for _ in 1..<max(failures, 1) where step < longestPause { step *= 2 }
    return min(step, longestPause)
  }

  // MARK: Waits

  /// The device waits until then, if nothing happens.
  func checkWait(until end: Double?, on letter: String) throws(Violation) {
    guard !needsPerson else { return }
    let end = end ?? .infinity
    if let latestEnd {
      guard end > latestEnd + 0.01 else { return }
      throw Violation(
        .offSchedule, "\(letter) waits \(end - latestEnd) s longer than its pause may last")
    }
    if let firstEdit, end > firstEdit + longestEditDelay + 0.01 {
      throw Violation(.offSchedule, "\(letter) sends an edit \(end - firstEdit) s after its commit")
    }
    if let lastEnd, end > lastEnd + 1.1 * interval + 1 {
      throw Violation(
        .offSchedule, "\(letter) waits \(end - lastEnd) s, and its interval is \(interval) s")
    }
  }
}
