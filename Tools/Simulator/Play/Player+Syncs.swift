// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryPlanning
import SimulatedDisk

// The syncs of devices, and what happens within them.
extension Player {
  func sync(
    _ number: Int, _ selection: StageSelection, _ comparison: SyncComparison,
    _ interruptions: [Interruption]
  ) throws {
    guard !courses.contains(where: { $0.device == number }) else { return }
    try run(number, selection, comparison, interruptions)
  }

  /// Runs a sync, perhaps after a sync of the device's other program was killed.
  func run(
    _ number: Int, _ selection: StageSelection, _ comparison: SyncComparison,
    _ interruptions: [Interruption]
  ) throws {
    let device = devices[number]
    let classes = world.settings.chosenClasses(
      of: number, sync: device.syncCount, among: world.classes.map(\.name))
    if classes != nil {
      tally.count("a sync asks for some classes", isWithinSync: !courses.isEmpty)
    }
    tale.beginSync(number, selection, classes, comparison)
    let before = world.hasOnDemand ? try device.view() : nil
    let (run, course) = try carryOut(interruptions, on: device) {
      device.sync(selection, classes, comparison)
    }
    if case .success = run.result {
      loop(of: number)?.succeeded(at: Double(clock.milliseconds) / 1000)
    }
    guard let before, !course.wasKilled else { return }
    try oracle.checkUninvited(before, device.view())
  }

  /// Carries a run of a device out with what happens within it, and holds its end against the rules.
  ///
  /// - Parameters:
  ///   - interruptions: The happenings within it.
  ///   - device: The device.
  ///   - removes: Whether the run removes rows because their records are gone.
  ///   - work: The run.
  /// - Returns: The run, which has ended, and its course.
  /// - Throws: `Violation`.
  func carryOut(
    _ interruptions: [Interruption], on device: Device, removes: Bool = true,
    _ work: () throws -> SyncRun
  ) throws -> (SyncRun, Course) {
    let number = device.number
    courses.append(Course(device: number, interruptions: interruptions))
    oracle.began(number, confirming: device.guarded)
    let before = device.standing
    let token = device.session?.token
    let run = try work()
    let hasEnded = token.map { !server.isValid($0) } ?? false
    let course = courses.removeLast()
    tale.endSync()
    if tale.chronicle.isKept { tale.chronicle.note(try device.view(), oracle.identities) }
    tally.count(course, requests: device.requestCount)
    device.failStore(nil)
    let hasDiskFailed = device.disk?.hasFailed ?? false
    if hasDiskFailed { try recover(device) } else if device.isKilled { try device.revive() }
    if course.wasKilled { restartLoop(of: number) }
    if let found { throw found }
    switch before {
    case .fits where hasEnded: try check(run, of: device, wasRough: true)
    case .fits: try check(run, of: device, wasRough: course.wasRough || hasDiskFailed)
    default:
      try check(
        run, of: device, as: before, isExcused: course.wasRough || hasDiskFailed || hasEnded)
    }
    if !removes { oracle.began(number, confirming: device.guarded) }
    guard world.settings.isServerTruthful else { return (run, course) }
    for other in devices where other.number == number || course.wasRough {
      try oracle.checkSafety(other.number, other.view())
    }
    return (run, course)
  }

  /// A sync while nothing goes wrong, which must succeed; returns its actions.
  func calmSync(
    _ device: Device, _ comparison: SyncComparison, asking classes: Set<String>? = nil
  ) throws -> [SyncAction] {
    let before = world.hasOnDemand ? try device.view() : nil
    courses.append(Course(device: device.number, interruptions: []))
    oracle.began(device.number, confirming: device.guarded)
    let run = device.sync(.all, classes, comparison)
    tally.count(courses.removeLast(), requests: device.requestCount)
    try check(run, of: device, wasRough: false)
    if let before { try oracle.checkUninvited(before, device.view()) }
    return run.actions
  }

  func countFailureOfDisk(_ isOff: Bool) {
    tally.count(isOff ? "the power goes" : "a disk refuses", isWithinSync: !courses.isEmpty)
  }

  func countPlan() { tally.plans += 1 }

  /// Does what is due at a moment of a device's sync, and says what becomes of the request.
  func reached(_ moment: Moment, on number: Int) -> Fate? {
    guard let place = courses.indices.last, courses[place].device == number else { return nil }
    tale.pass(moment)
    if case .leaving(let request) = moment, request.comparesOverlap {
      tally.count("the versions of an overlap are compared", isWithinSync: false)
    }
    for act in courses[place].pass(moment) { perform(act, in: place) }
    if case .leaving = moment, isOffline(number) {
      courses[place].wasRough = true
      return .cannotConnect
    }
    let fate = courses[place].takeFate(at: moment)
    if let fate {
      tale.add(.fate(fate))
      tally.count("a request " + fate.text, isWithinSync: false)
      if fate.deniesWork { oracle.deniesWork(creating: moment.request?.created ?? []) }
    }
    if case .answered(let request, _) = moment,
      devices[number].isKilled || fate?.isOfAnswer == true && fate != .isSlow
    {
      oracle.losesAnswer(creating: request.created)
    }
    return fate
  }

  private func perform(_ act: Interruption.Act, in place: Int) {
    do {
      switch act {
      case .fate(let fate): courses[place].expect(fate)
      case .edit(let writer, let edit): try make(edit, by: writer)
      case .relate(let writer, let edit): try relate(edit, by: writer)
      case .decide(let decision): try decide(decision, on: courses[place].device)
      case .logIn(let user): logIn(user, on: courses[place].device)
      case .endSession: endSession(of: courses[place].device)
      case .allowClass(let className, let access): change(access, of: className)
      case .dropField(let className): try dropField(of: className)
      case .sync(let other):
        guard courses.count < 2, other != courses[place].device else { return }
        tally.count("another device syncs", isWithinSync: true)
        try sync(other, .all, .rolling, [])
      case .other(let aside): try perform(aside, besideSyncOf: courses[place].device)
      case .kill:
        courses[place].wasRough = true
        courses[place].wasKilled = true
        tale.add(.kill)
        tally.count("a device is killed", isWithinSync: true)
        try devices[courses[place].device].kill()
      case .storeFails(let failure):
        courses[place].wasRough = true
        tally.count("a store fails", isWithinSync: true)
        devices[courses[place].device].failStore(failure)
      }
    } catch {
      found = found ?? error as? Violation ?? Violation(.failedSync, "\(error)")
    }
  }
}
