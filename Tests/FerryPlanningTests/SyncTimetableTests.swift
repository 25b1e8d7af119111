// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning
import Testing

struct SyncTimetableTests {
  private let schedule = SyncSchedule()

  @Test func `a schedule takes an interval, and none below a second`() {
    #expect(SyncSchedule().interval == .seconds(300))
    #expect(SyncSchedule(interval: .seconds(60)).interval == .seconds(60))
    #expect(SyncSchedule(interval: .zero).interval == .seconds(1))
  }

  private func table(_ schedule: SyncSchedule = SyncSchedule()) -> SyncTimetable {
    SyncTimetable(schedule, classNames: ["Game", "League"], at: 0)
  }

  /// A timetable whose first sync ended well after a second.
  private func rested(_ schedule: SyncSchedule = SyncSchedule()) -> SyncTimetable {
    var table = table(schedule)
    table.began(["Game", "League"], at: 0)
    table.ended(["Game", "League"], .done(hasSent: false, next: nil), at: 1, chance: 0.5)
    return table
  }

  @Test func `all classes are asked for at the start, and again after the interval`() {
    #expect(table().step(at: 0) == .sync(["Game", "League"]))
    #expect(rested().step(at: 1) == .wait(until: 301))
    #expect(rested().step(at: 301) == .sync(["Game", "League"]))
  }

  @Test func `a class with an interval of its own is asked for by it, over a restart too`() {
    var schedule = schedule
    schedule.intervals["League"] = .seconds(3600)
    let names = ["Game", "League"]
    let started = SyncTimetable(schedule, classNames: names, ages: ["League": 600], at: 0)
    #expect(started.step(at: 0) == .sync(["Game"]))
    #expect(started.step(at: 3000) == .sync(["Game", "League"]))
    let late = SyncTimetable(schedule, classNames: names, ages: ["League": 3600], at: 0)
    #expect(late.step(at: 0) == .sync(["Game", "League"]))
    let setBack = SyncTimetable(schedule, classNames: names, ages: ["League": -5], at: 0)
    #expect(setBack.step(at: 0) == .sync(["Game", "League"]))
  }

  @Test(arguments: [0.0, 0.5, 0.999]) func `a quiet hour has twelve syncs, about`(chance: Double) {
    var table = table()
    var (now, syncs) = (0.0, 0)
    while now < 3600 {
      switch table.step(at: now) {
      case .sync(let classes):
        syncs += 1
        table.began(classes, at: now)
        now += 0.1
        table.ended(classes, .done(hasSent: false, next: nil), at: now, chance: chance)
      case .send:
        table.looks(at: now)
        table.foundNothingToSend(next: nil, at: now)
      case .wait(let time): now = time ?? .infinity
      }
    }
    #expect((11...14).contains(syncs))
  }

  @Test func `a small edit is sent at once, the next ones together, and none waits long`() {
    var table = rested()
    table.edited(1, at: 50)
    #expect(table.step(at: 50) == .send(hasWaited: false))
    table.began(["Game"], at: 50)
    table.ended(["Game"], .done(hasSent: true, next: nil), at: 50.2, chance: 0.5)
    table.edited(1, at: 50.5)
    #expect(table.step(at: 50.5) == .wait(until: 51.5))
    var time = 50.5
    while time < 60 {
      time += 0.5
      table.edited(1, at: time)
    }
    #expect(table.step(at: 60) == .wait(until: 60.5))
    #expect(table.step(at: 60.5) == .send(hasWaited: false))
  }

  @Test func `many rows at once wait for more`() {
    var table = rested()
    table.edited(21, at: 50)
    #expect(table.step(at: 50) == .wait(until: 51))
  }

  @Test func `wake-ups without a pause give a sync a second`() {
    var table = rested()
    var (now, syncs) = (100.0, 0)
    while now < 110 {
      table.woken(nil, at: now)
      if case .sync(let classes) = table.step(at: now) {
        syncs += 1
        table.began(classes, at: now)
        table.woken(nil, at: now)
        table.ended(classes, .done(hasSent: false, next: nil), at: now, chance: 0.5)
      }
      now += 0.001
    }
    #expect((10...11).contains(syncs))
  }

  @Test func `a class that is asked for during a sync is asked for again`() {
    var table = rested()
    table.woken(["Game"], at: 50)
    #expect(table.step(at: 50) == .sync(["Game"]))
    table.began(["Game"], at: 50)
    table.woken(["Game"], at: 50.5)
    table.ended(["Game"], .done(hasSent: false, next: nil), at: 51, chance: 0.5)
    #expect(table.step(at: 51) == .wait(until: 52))
    #expect(table.step(at: 52) == .sync(["Game"]))
  }

  @Test func `pauses after failures double, up to the longest`() {
    var table = table()
    var (now, lengths): (Double, [Double]) = (0, [])
    for _ in 0..<10 {
      table.began(["Game", "League"], at: now)
      table.ended(["Game", "League"], .failed(asked: nil), at: now, chance: 1)
      guard case .wait(let end?) = table.step(at: now) else { return #expect(Bool(false)) }
      lengths.append(end - now)
      now = end
      #expect(table.step(at: now) == .sync(["Game", "League"]))
    }
    #expect(lengths == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
  }

  @Test func `a call or the network shortens a pause, and an edit does not`() {
    var table = rested()
    for _ in 0..<8 {
      table.began(["Game"], at: 400)
      table.ended(["Game"], .failed(asked: nil), at: 400, chance: 1)
    }
    table.edited(1, at: 410)
    #expect(table.step(at: 410) == .wait(until: 1040))
    table.networkChanged(at: 410)
    #expect(table.step(at: 410) == .wait(until: 430))
    #expect(table.step(at: 430) != .wait(until: 1040))
  }

  @Test func `nobody shortens the pause that the server asked for`() {
    var table = rested()
    table.began(["Game"], at: 400)
    table.ended(["Game"], .failed(asked: 1800), at: 400, chance: 0)
    table.woken(nil, at: 500)
    table.networkChanged(at: 500)
    #expect(table.step(at: 500) == .wait(until: 2200))
  }

  @Test func `a failure that only a person can mend waits for a call`() {
    var table = rested()
    table.began(["Game"], at: 400)
    table.ended(["Game"], .needsPerson, at: 400, chance: 0)
    table.edited(1, at: 500)
    table.networkChanged(at: 500)
    #expect(table.step(at: 9000) == .wait(until: nil))
    table.woken([], at: 9000)
    #expect(table.step(at: 9000) == .sync(["Game", "League"]))
  }

  @Test func `a change that cannot be sent is tried less and less often`() {
    var table = rested()
    var (now, waits): (Double, [Double]) = (10, [])
    for _ in 0..<10 {
      table.began(["Game", "League"], at: now)
      table.ended(["Game", "League"], .done(hasSent: false, next: 0), at: now, chance: 0.5)
      guard case .wait(let end?) = table.step(at: now) else { return #expect(Bool(false)) }
      waits.append(end - now)
      now = end
    }
    #expect(waits == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
  }

  @Test func `a change whose time moves with each look is sent all the same`() {
    var table = rested()
    for time in [50.0, 100.0] {
      table.edited(1, at: time)
      table.looks(at: time)
      table.foundNothingToSend(next: 60, at: time)
    }
    #expect(table.step(at: 100) == .wait(until: 110))
    #expect(table.step(at: 110) == .send(hasWaited: true))
  }

  @Test func `a server that asks for years gets an hour`() {
    var table = rested()
    table.began(["Game"], at: 400)
    table.ended(["Game"], .failed(asked: 31_536_000), at: 400, chance: 0)
    #expect(table.step(at: 400) == .wait(until: 4000))
  }

  @Test func `a call during a sync that fails counts`() {
    var table = rested()
    for _ in 0..<8 {
      table.began(["Game"], at: 400)
      table.networkChanged(at: 400)
      table.ended(["Game"], .failed(asked: nil), at: 400, chance: 1)
    }
    #expect(table.step(at: 400) == .wait(until: 430))
    table.began(["Game"], at: 430)
    table.woken(nil, at: 430)
    table.ended(["Game"], .needsPerson, at: 431, chance: 1)
    #expect(table.step(at: 431) == .wait(until: 432))
  }

  @Test func `a sync that the app cancels is made up for soon`() {
    var table = table()
    table.began(["Game", "League"], at: 0)
    table.ended(["Game", "League"], .cancelled, at: 1, chance: 1)
    #expect(table.step(at: 1) == .wait(until: 6))
    #expect(table.step(at: 6) == .sync(["Game", "League"]))
  }

  @Test func `classes that are asked for in turn give a sync a second, too`() {
    var table = rested()
    var (now, syncs) = (100.0, 0)
    table.woken(["Game"], at: now)
    while now < 110 {
      if case .sync(let classes) = table.step(at: now) {
        syncs += 1
        table.began(classes, at: now)
        table.woken(classes == ["Game"] ? ["League"] : ["Game"], at: now)
        table.ended(classes, .done(hasSent: false, next: nil), at: now, chance: 0.5)
      }
      now += 0.01
    }
    #expect((10...11).contains(syncs))
  }

  @Test func `an edit during a look needs another look`() {
    var table = rested()
    table.edited(1, at: 50)
    table.looks(at: 50)
    table.edited(1, at: 50)
    table.foundNothingToSend(next: nil, at: 50)
    #expect(table.step(at: 50) == .send(hasWaited: false))
  }

  @Test func `a class that a sync left out is not put off for a day`() {
    var schedule = schedule
    schedule.intervals["League"] = .seconds(86_400)
    var table = table(schedule)
    table.began(["Game", "League"], at: 0)
    table.ended(
      ["Game", "League"], .done(hasSent: false, next: nil, leftOut: ["League"]), at: 0, chance: 0.5)
    #expect(table.step(at: 300) == .sync(["Game", "League"]))
  }

  @Test func `a store in use costs a few seconds each time`() {
    var table = table()
    for number in 0..<5 {
      let now = Double(number) * 100
      table.began(["Game", "League"], at: now)
      table.ended(["Game", "League"], .busy, at: now, chance: 1)
      #expect(table.step(at: now) == .wait(until: now + 5))
    }
  }

  @Test func `a sync of the app that succeeds ends a pause`() {
    var table = table()
    table.began(["Game", "League"], at: 0)
    table.ended(["Game", "League"], .needsPerson, at: 0, chance: 1)
    table.succeeded()
    #expect(table.step(at: 1) == .sync(["Game", "League"]))
  }

  @Test func `no duration is too long or too short`() {
    var schedule = schedule
    schedule.interval = .seconds(Int64.max)
    schedule.intervals = ["Game": .zero]
    #expect(schedule.interval == .seconds(31_536_000))
    #expect(schedule.intervals["Game"] == .seconds(1))
  }
}
