// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Randomness

/// A coordinator that runs by itself for some hours: edits, calls, a network that comes and goes, and syncs that fail.
struct TimetableCase {
  private static let classNames = ["A", "B", "C"]

  private var chance: SeededGenerator
  private let schedule: SyncSchedule
  private var table: SyncTimetable
  private var now = 0.0
  private var text: String { "\(schedule), at \(now)" }

  /// When each class was last asked for with success, or the beginning.
  private var asked = Dictionary(uniqueKeysWithValues: classNames.map { ($0, 0.0) })
  /// When the oldest edit came that no sync has sent.
  private var unsent: Double?
  private var syncs = 0
  /// No sync may begin before.
  private var earliest = 0.0
  private var needsPerson = false
  /// Whether the app has called since the last sync began.
  private var wasWoken = false
  /// Until when delays are excused: the end of the last sync and of the pause after it.
  private var excused = 0.0

  static func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    var life = TimetableCase(&chance)
    try life.live(until: 7200)
    chance = life.chance
  }

  private init(_ chance: inout SeededGenerator) {
    var schedule = SyncSchedule()
    schedule.interval = .seconds(chance.pick([1, 30, 300, 3600]))
    if chance.one(in: 2) { schedule.intervals["B"] = .seconds(chance.pick([5, 900, 86_400])) }
    schedule.editDelay = .milliseconds(chance.pick([0, 200, 1000, 5000]))
    schedule.longestEditDelay = .seconds(chance.pick([0, 5, 20]))
    schedule.shortestPause = .seconds(chance.pick([1, 5, 60]))
    schedule.longestPause = .seconds(chance.pick([1, 60, 900]))
    self.schedule = schedule
    self.chance = chance
    table = SyncTimetable(schedule, classNames: Self.classNames, at: 0)
  }

  private mutating func live(until end: Double) throws(BrokenLaw) {
    var events = 0
    while now < end, events < 500 {
      events += 1
      switch table.step(at: now) {
      case .sync(let classes): try sync(classes)
      case .send(let hasWaited):
        // Some changes can only be sent a minute later, counted from each look.
        table.looks(at: now)
        if unsent != nil, chance.one(in: 5), !hasWaited {
          if chance.one(in: 4) { happen() }
          table.foundNothingToSend(next: 60, at: now)
          excused = max(excused, now + 60)
          continue
        }
        guard unsent != nil else {
          table.foundNothingToSend(next: nil, at: now)
          continue
        }
        try sync([])
      case .wait(let until):
        if let until { try law(until > now, "a wait is not over when it begins", text) }
        try checkNothingIsLate(until: until ?? .infinity)
        let pause = chance.pick([0.001, 0.5, 3, 60, 1000]) * Double(chance.number(below: 100)) / 50
        if let until, until <= now + pause {
          now = until
        } else {
          now += pause
          happen()
        }
      }
    }
  }

  /// Something happens beside the syncs.
  private mutating func happen() {
    switch chance.number(below: 6) {
    case 0...2:
      unsent = unsent ?? now
      table.edited(chance.pick([1, 3, 1000]), at: now)
    case 3: table.networkChanged(at: now)
    case 4:
      needsPerson = false
      wasWoken = true
      table.woken(chance.one(in: 2) ? nil : [chance.pick(Self.classNames)], at: now)
    default: break
    }
  }

  private mutating func sync(_ classes: Set<String>) throws(BrokenLaw) {
    try law(!needsPerson, "no sync begins until a person has acted", text)
    try law(now >= earliest, "a server that asks for a pause gets it", text)
    syncs += 1
    try law(Double(syncs) <= 20 + 4 * now, "syncs do not follow each other without a pause", text)
    table.began(classes, at: now)
    wasWoken = false
    // An edit during the sync may be sent by it or not.
    let sent = unsent
    unsent = nil
    let length = chance.pick([0.01, 0.3, 10])
    if chance.one(in: 4) {
      now += length / 2
      happen()
      now += length / 2
    } else {
      now += length
    }
    try end(classes, sent)
  }

  private mutating func end(_ classes: Set<String>, _ sent: Double?) throws(BrokenLaw) {
    let ending: SyncEnding
    switch chance.number(below: 10) {
    case 0...6: ending = .done(hasSent: sent != nil, next: unsent == nil ? nil : 0)
    case 7: ending = .failed(asked: chance.one(in: 3) ? Double(chance.number(below: 8000)) : nil)
    case 8: ending = chance.one(in: 2) ? .cancelled : .busy
    default: ending = chance.one(in: 4) ? .needsPerson : .failed(asked: nil)
    }
    table.ended(classes, ending, at: now, chance: Double(chance.number(below: 1000)) / 1000)
    excused = max(excused, now)
    switch ending {
    case .done: for name in classes { asked[name] = now }
    case .failed(let wait):
      unsent = sent ?? unsent
      earliest = max(earliest, now + min(wait ?? 0, 3600))
      excused = max(excused, earliest, now + schedule.longestPause / .seconds(1))
    case .needsPerson:
      unsent = sent ?? unsent
      needsPerson = !wasWoken
    case .cancelled, .busy:
      unsent = sent ?? unsent
      excused = max(excused, now + schedule.shortestPause / .seconds(1))
    }
  }

  /// Checks that no class and no edit waits longer than it may, if nothing happens until then.
  private func checkNothingIsLate(until: Double) throws(BrokenLaw) {
    guard !needsPerson else { return }
    for name in Self.classNames {
      let interval = (schedule.intervals[name] ?? schedule.interval) / .seconds(1)
      let latest = max(excused, asked[name, default: 0] + 1.1 * interval) + 1
      try law(until <= latest, "a class is asked for when its interval is over", "\(name) \(text)")
    }
    guard let unsent else { return }
    let delay = max(schedule.longestEditDelay, schedule.editDelay) / .seconds(1)
    let retry = schedule.interval / .seconds(1)
    // A sync that could not send it is repeated at the interval at the latest.
    let latest = max(excused + retry, unsent + delay) + 1
    try law(until <= latest, "an edit is sent soon", text)
  }
}
