// Ferry: offline-first sync for Parse Server. MIT licence.

/// Decides when a coordinator that runs by itself syncs next, and which classes it asks for.
///
/// A pure value. Times are seconds of one clock that only goes forward. Random numbers are from 0 up to 1.
package struct SyncTimetable: Sendable {
  /// The next thing to do.
  package enum Step: Sendable, Equatable {
    /// Sync now, and ask for these classes.
    case sync(Set<String>)
    /// Look for unsent changes, and sync if there is one that can be sent now; if it has waited for its time, any change
    /// will do.
    case send(hasWaited: Bool)
    /// Wait until then, or until something happens; nil for no time.
    case wait(until: Double?)
  }

  /// The least time between the end of a sync and the next one that was only told to come.
  private static let wakeDelay = 1.0
  /// The longest pause after a failure once the app or the system says that things may have changed.
  private static let longestPauseWhenWoken = 30.0
  /// The longest pause that a server gets: one that asks for years must not end all syncs.
  private static let longestAskedPause = 3600.0
  /// The share of an interval by which a class may be asked for early, so that classes are asked for together.
  private static let slack = 0.1

  private let schedule: SyncSchedule
  private let intervals: [String: Double]
  /// When each class is asked for next; never for a class that a sync is asking for.
  private var due: [String: Double]
  /// When to look for edits to send.
  private var edit: Double?
  /// When the first of the edits came that wait.
  private var firstEdit: Double?
  /// When to look for changes that an earlier sync could not send.
  private var retry: Double?
  /// How many syncs in a row sent nothing, although a change waited.
  private var idleRetries = 0
  private var lastEnd = -Double.infinity
  private var lastEditSync = -Double.infinity
  private var failures = 0
  /// The pause after failures: its end, and the end that the server asked for.
  private var pause: (end: Double, asked: Double)?
  /// Whether every sync fails until a person acts.
  private var isPaused = false
  /// Whether the app has called since the last sync began.
  private var wasWoken = false
  /// Whether the app or the system has said since the last sync began that things may have changed.
  private var mayHaveChanged = false

  /// A timetable for a start now: all classes are due but those whose own interval is not over.
  ///
  /// - Parameters:
  ///   - schedule: The app's wishes.
  ///   - classNames: All classes.
  ///   - ages: How many seconds ago classes with intervals of their own were asked for, as far as that is known.
  ///   - now: The present time.
  package init(
    _ schedule: SyncSchedule, classNames: [String], ages: [String: Double] = [:], at now: Double
  ) {
    self.schedule = schedule
    var intervals: [String: Double] = [:]
    due = [:]
    for name in classNames {
      let interval = Self.seconds(schedule.intervals[name] ?? schedule.interval)
      intervals[name] = interval
      // A clock that was set back makes an age negative, which says nothing.
      let age = ages[name].flatMap { $0 >= 0 ? $0 : nil } ?? interval
      due[name] = now + max(interval - age, 0)
    }
    self.intervals = intervals
    // Edits of an earlier process may wait.
    edit = now
  }

  /// The next thing to do, at a time.
  package func step(at now: Double) -> Step {
    guard !isPaused else { return .wait(until: nil) }
    let wanted = [due.values.min(), edit, retry].compactMap(\.self).min() ?? .infinity
    let start = max(wanted, pause?.end ?? wanted)
    guard start <= now else { return .wait(until: start.isFinite ? start : nil) }
    let classes = dueClasses(at: now)
    guard classes.isEmpty else { return .sync(classes) }
    return .send(hasWaited: retry.map { $0 <= now } ?? false)
  }

  /// The classes that are due at a time, with those that are nearly so; none if none is due.
  private func dueClasses(at now: Double) -> Set<String> {
    guard due.values.contains(where: { $0 <= now }) else { return [] }
    return Set(due.filter { $0.value <= now + Self.slack * (intervals[$0.key] ?? 0) }.keys)
  }
}

extension SyncTimetable {
  // MARK: Events

  /// The app has committed edits of that number of rows.
  package mutating func edited(_ count: Int, at now: Double) {
    let delay = Self.seconds(schedule.editDelay)
    let longest = Self.seconds(schedule.longestEditDelay)
    if firstEdit == nil, count <= schedule.smallEdit, now - lastEditSync >= delay {
      edit = now
    } else if edit.map({ $0 > now }) ?? true {
      edit = min(now + delay, (firstEdit ?? now) + longest)
    }
    firstEdit = firstEdit ?? now
  }

  /// The app has asked for classes; nil for all.
  package mutating func woken(_ classes: Set<String>?, at now: Double) {
    let time = max(now, lastEnd + Self.wakeDelay)
    for (name, dueTime) in due where classes?.contains(name) ?? true {
      due[name] = min(dueTime, time)
    }
    isPaused = false
    wasWoken = true
    shortenPause(at: now)
  }

  /// The network of the device has changed.
  package mutating func networkChanged(at now: Double) { shortenPause(at: now) }

  /// Things may have changed: a pause after a failure need not be as long as it was meant, unless the server asked for it.
  private mutating func shortenPause(at now: Double) {
    mayHaveChanged = true
    guard let pause else { return }
    self.pause?.end = min(pause.end, max(now, lastEnd + Self.longestPauseWhenWoken, pause.asked))
  }
}

extension SyncTimetable {
  // MARK: Syncs

  /// A look for unsent changes begins; an edit from now on needs another one.
  package mutating func looks(at now: Double) {
    (edit, firstEdit) = (nil, nil)
    if retry.map({ $0 <= now }) == true { retry = nil }
  }

  /// No change is unsent that a sync could send now; one may be after a number of seconds, or nil for never.
  package mutating func foundNothingToSend(next: Double?, at now: Double) {
    // The time is counted from each look anew, so a later look must not put an earlier time off.
    if let next { retry = min(now + max(next, Self.wakeDelay), retry ?? .infinity) }
  }

  /// A sync that the app asked for has succeeded: failures of before mean nothing any more.
  package mutating func succeeded() {
    (failures, pause, isPaused) = (0, nil, false)
  }

  /// A sync begins that asks for these classes.
  package mutating func began(_ classes: Set<String>, at now: Double) {
    for name in classes where due[name] != nil { due[name] = .infinity }
    if edit.map({ $0 <= now }) == true { lastEditSync = now }
    (edit, firstEdit, retry) = (nil, nil, nil)
    (wasWoken, mayHaveChanged) = (false, false)
  }

  /// The sync has ended that asked for these classes.
  package mutating func ended(
    _ classes: Set<String>, _ ending: SyncEnding, at now: Double, chance: Double
  ) {
    lastEnd = now
    for (name, time) in due { due[name] = max(time, now + Self.wakeDelay) }
    switch ending {
    case .done(let hasSent, let next, let leftOut):
      (failures, pause) = (0, nil)
      postpone(classes, at: now, chance)
      // A class that was left out is not asked for later than any other.
      for name in leftOut where due[name] != nil {
        due[name] = min(due[name] ?? now, now + Self.seconds(schedule.interval))
      }
      idleRetries = next == nil || hasSent ? 0 : idleRetries + 1
      let least = min(exp2(of: idleRetries), Self.seconds(schedule.interval))
      retry = next.map { now + max($0, least) }
    case .failed(let asked):
      failures += 1
      let asked = now + min(asked ?? 0, Self.longestAskedPause)
      pause = (max(now + pauseLength(chance), asked), asked)
      if mayHaveChanged { shortenPause(at: now) }
      comeBack(to: classes, at: now)
    case .busy:
      let end = now + Self.seconds(schedule.shortestPause) * (0.5 + chance / 2)
      pause = (end, now)
      comeBack(to: classes, at: now)
    case .needsPerson:
      // A call during the sync may have been for a login that came too late for it.
      isPaused = !wasWoken
      comeBack(to: classes, at: now + Self.wakeDelay)
    case .cancelled:
      comeBack(to: classes, at: now + Self.seconds(schedule.shortestPause))
    }
  }

  /// Asks for classes again after their intervals; one that the app asked for during the sync sooner.
  private mutating func postpone(_ classes: Set<String>, at now: Double, _ chance: Double) {
    let factor = 1 + Self.slack * (2 * chance - 1)
    for (name, time) in due {
      if classes.contains(name) {
        due[name] = min(time, now + factor * (intervals[name] ?? 0))
      }
    }
  }

  /// Asks for classes again at a time, and looks for unsent changes then.
  private mutating func comeBack(to classes: Set<String>, at time: Double) {
    for name in classes where due[name] != nil { due[name] = time }
    retry = time
  }

  /// Half of the step or more.
  private func pauseLength(_ chance: Double) -> Double {
    let step = Self.seconds(schedule.shortestPause) * exp2(of: failures - 1)
    return min(step, Self.seconds(schedule.longestPause)) * (0.5 + chance / 2)
  }

  private func exp2(of exponent: Int) -> Double { Double(1 << min(exponent, 30)) }

  private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
