// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning
import SimulatedDisk

// Devices that sync by themselves.
extension Player {
  private var now: Double { Double(clock.milliseconds) / 1000 }

  /// The loop of a device; nil where devices sync at fixed times.
  func loop(of device: Int) -> DeviceLoop? { loops.isEmpty ? nil : loops[device] }

  /// The loops begin, after the first syncs.
  func startLoops() {
    guard let schedule = world.settings.schedule else { return }
    loops = devices.map {
      DeviceLoop($0.number, schedule, world.classes.map(\.name), at: now)
    }
  }

  func restartLoop(of device: Int) { loop(of: device)?.restart(at: now) }

  func noteEdit(on device: Int) { loop(of: device)?.edited(at: now) }

  /// Time passes, in which devices that run by themselves sync.
  func pass(milliseconds duration: Int64) throws {
    guard let schedule = world.settings.schedule, !loops.isEmpty else {
      return clock.pass(milliseconds: duration)
    }
    let end = clock.milliseconds + duration
    // A device that sleeps does nothing, and the clock goes on.
    let awake = Int64(6000 * (schedule.interval / .seconds(1)))
    if duration > awake { clock.pass(milliseconds: duration - awake) }
    while true {
      for loop in loops { try obey(loop) }
      let next = loops.compactMap(\.wakeUp).min().map { Int64(($0 * 1000).rounded(.up)) }
      guard let next, next < end, clock.milliseconds < end else { break }
      clock.pass(milliseconds: max(next - clock.milliseconds, 1))
    }
    clock.pass(milliseconds: max(end - clock.milliseconds, 0))
    for loop in loops { try obey(loop) }
  }

  /// An app may ask for a sync, and lets things happen within the next one.
  func expectSync(of number: Int, _ interruptions: [Interruption]) throws {
    guard let loop = loop(of: number) else { return }
    loop.await(interruptions)
    if clock.random() % 5 == 0 {
      tally.count("a device has no network for a while", isWithinSync: false)
      loop.offlineUntil = now + Double(clock.random() % 240)
    }
    if clock.random() % 3 == 0 { loop.woken(at: now) }
    try pass(milliseconds: Int64(clock.random() % 12_000))
  }

  /// The network of all devices comes back.
  func networkChanged() {
    for loop in loops {
      loop.offlineUntil = nil
      loop.networkChanged(at: now)
    }
  }

  /// Whether a device that runs by itself has no network now.
  func isOffline(_ device: Int) -> Bool {
    loop(of: device)?.offlineUntil.map { now < $0 } ?? false
  }

  /// Does what the timetable says until it says that the device waits.
  private func obey(_ loop: DeviceLoop) throws {
    guard !courses.contains(where: { $0.device == loop.number }) else { return }
    let letter = Writer.letter(of: loop.number)
    for _ in 0..<50 {
      switch loop.table.step(at: now) {
      case .sync(let classes): try sync(loop, classes)
      case .send(let hasWaited): try send(loop, anyChange: hasWaited)
      case .wait(let end):
        loop.wakeUp = end
        return try loop.rules.checkWait(until: end, on: letter)
      }
    }
    throw Violation(.offSchedule, "\(letter) does not come to rest")
  }

  private func send(_ loop: DeviceLoop, anyChange: Bool) throws {
    let device = devices[loop.number]
    loop.table.looks(at: now)
    let work: UnsentWork
    do {
      work = try device.unsentWork()
    } catch  where device.disk?.hasFailed == true {
      // As the engine's loop does: a sync says what is wrong with the store.
      return try sync(loop, [])
    }
    if let next = work.next, anyChange || next <= 0 { return try sync(loop, work.classes) }
    loop.table.foundNothingToSend(next: work.next, at: now)
    loop.rules.foundNothing()
  }

  private func sync(_ loop: DeviceLoop, _ classes: Set<String>) throws {
    let device = devices[loop.number]
    try loop.rules.begins(on: device.letter, at: now)
    loop.table.began(classes, at: now)
    tally.count("a device syncs by itself", isWithinSync: !courses.isEmpty)
    tale.beginSync(loop.number, .all, classes, .rolling)
    let before = world.hasOnDemand ? try device.view() : nil
    // Documented: if the work on a class fails, its changes wait until its next download.
    let leftOut = try device.failedClasses().subtracting(classes)
    let interruptions = loop.takeInterruptions()
    let (run, course) = try carryOut(interruptions, on: device) {
      device.sync(.all, classes, .rolling)
    }
    // The loop has begun anew with its process.
    guard !course.wasKilled, let result = run.result else { return }
    let chance = Double(clock.random() % 1_000_000) / 1_000_000
    loop.table.ended(classes, SyncEnding(result, at: device.now), at: now, chance: chance)
    loop.rules.ended(result, at: now)
    if let before { try oracle.checkUninvited(before, device.view()) }
    // The changes of a class that the server closes wait.
    if case .success(let report) = result, interruptions.isEmpty, !course.wasRough,
      report.guarded.isEmpty, !world.settings.hasClassRights
    {
      try oracle.checkSent(device.view(), except: leftOut)
    }
  }

  /// An hour in which nothing happens: each device asks as often as its schedule says, and with as few requests.
  func quietHour() throws {
    guard let schedule = world.settings.schedule, !loops.isEmpty else { return }
    let interval = schedule.interval / .seconds(1)
    for loop in loops {
      loop.restart(at: now)
      while !loop.takeInterruptions().isEmpty {}
    }
    // Until then, listings show rows of before again, and these are compared.
    try pass(milliseconds: Int64(2200 * interval) + 600_000)
    let counts = (tally.syncs, tally.requests)
    let hours = min(6 * interval / 3600, 1)
    try pass(milliseconds: Int64(3_600_000 * hours))
    let syncs = Double(tally.syncs - counts.0)
    let requests = Double(tally.requests - counts.1)
    // Documented: a device asks again, once an interval, for a record in quarantine with a write of unknown outcome.
    let asking = try devices.count { try $0.view().hasDoubtInQuarantine(oracle.identities) }
    let most = Double(devices.count + asking) * (3600 * hours / (0.9 * interval) + 1)
    guard syncs <= most else {
      throw Violation(.offSchedule, "the devices synced \(syncs) times in \(hours) quiet hours")
    }
    guard try isCheapWhenQuiet else { return }
    // Once a day, a share of each class is compared.
    let compared = Double(3 * world.classes.count * devices.count)
    guard requests <= syncs * (world.settings.hasUsers ? 2 : 1) + compared else {
      throw Violation(
        .offSchedule,
        "the devices took \(requests) requests in \(syncs) syncs of \(hours) quiet hours")
    }
  }

  /// Whether a sync without news is documented to take one request, and one more for a session.
  private var isCheapWhenQuiet: Bool {
    get throws {
      let settings = world.settings
      guard settings.maxLimit == nil, !settings.brokenBatch, !settings.hasClassRights,
        !settings.hasAccessLists,
        !world.classes.contains(where: { $0.deletions == .fullScan || $0.deletions == .never })
      else { return false }
      return try devices.map { try $0.view() }.allSatisfy {
        $0.pending.isEmpty && $0.quarantined.isEmpty
      }
    }
  }
}

extension Oracle {
  /// After a sync that a device began by itself, and in which nothing went wrong, no edit of before is ready to be sent.
  ///
  /// - Parameters:
  ///   - view: The device after the sync.
  ///   - classes: The classes that wait for their download since an earlier sync, and for which this one did not ask.
  /// - Throws: `Violation` for an edit that is ready.
  func checkSent(_ view: DeviceView, except classes: Set<String>) throws(Violation) {
    for entry in view.pending where entry.state == .ready && !classes.contains(entry.className) {
      let name = view.name(of: entry, identities)
      // A row whose delete was refused comes back with its earlier edit, which the next sync sends.
      guard !demand.hasTouched(name, inRunOf: view.number), !rights.wasDenied(name)
      else { continue }
      throw Violation(
        .stuck,
        "\(view.device) synced by itself, and did not send its \(entry.kind.rawValue) of \(name)")
    }
  }
}
