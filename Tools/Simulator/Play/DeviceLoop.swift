// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// A device that syncs by itself: the engine's timetable decides, and the player obeys.
final class DeviceLoop {
  let number: Int
  let schedule: SyncSchedule
  private let classNames: [String]
  var table: SyncTimetable
  var rules: ScheduleRules
  /// When the loop looks again; nil for no time.
  var wakeUp: Double?
  /// Until when the device has no network; nil while it has.
  var offlineUntil: Double?
  /// The happenings within the next syncs that the device begins.
  private var upcoming: [[Interruption]] = []

  init(_ number: Int, _ schedule: SyncSchedule, _ classNames: [String], at now: Double) {
    self.number = number
    self.schedule = schedule
    self.classNames = classNames
    table = SyncTimetable(schedule, classNames: classNames, at: now)
    rules = ScheduleRules(schedule)
    wakeUp = now
  }

  /// The app starts again.
  func restart(at now: Double) {
    table = SyncTimetable(schedule, classNames: classNames, at: now)
    rules = ScheduleRules(schedule)
    wakeUp = now
  }

  /// The app has committed an edit.
  func edited(at now: Double) {
    table.edited(1, at: now)
    rules.edited(at: now)
    wakeUp = now
  }

  /// The app asks for a sync.
  func woken(at now: Double) {
    table.woken(nil, at: now)
    rules.woken()
    wakeUp = now
  }

  /// The network of the device has changed.
  func networkChanged(at now: Double) {
    table.networkChanged(at: now)
    rules.networkChanged()
    wakeUp = now
  }

  /// A sync that the app began has succeeded.
  func succeeded(at now: Double) {
    table.succeeded()
    rules.succeeded()
    wakeUp = now
  }

  /// Keeps happenings for a sync that the device will begin.
  func await(_ interruptions: [Interruption]) {
    if !interruptions.isEmpty { upcoming.append(interruptions) }
  }

  /// The happenings within the sync that begins now.
  func takeInterruptions() -> [Interruption] { upcoming.isEmpty ? [] : upcoming.removeFirst() }
}
