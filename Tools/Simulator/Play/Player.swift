// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryHTTP
import FerryModel
import FerryPlanning
import Foundation
import LoopbackParse
import SimulatedDisk

/// Carries a world out, on the calling thread, and has the oracle look at it.
///
/// The engine is the shipped code on a real SQLite store; the server is the double, called directly. All
/// time and chance come from the world's seed. First the events happen, with all that goes wrong. Then
/// nothing goes wrong any more, every device syncs three times, and everybody must agree.
///
/// It is `@unchecked Sendable` because one thread plays a world from its beginning to its end.
final class Player: @unchecked Sendable {
  // Unchecked: one thread carries a world out, and its parts call each other only there.
  let world: World
  let oracle: Oracle
  let clock: SimulatedClock
  private(set) var server: SimulatedServer
  private(set) var devices: [Device] = []
  /// The events and happenings so far, for the story of the world.
  var tale = Tale()
  /// The changes of relations so far.
  var memberHistory = MemberHistory()
  /// The numbers of the play so far.
  var tally = Tally()
  /// The operations of each device's disk, from its planned failures to the last event.
  var diskOperations: [[DiskOperation]] = []
  private let folder: URL
  private let bug: SeededBug?
  /// The devices that sync by themselves; empty where they sync at fixed times.
  var loops: [DeviceLoop] = []
  /// The syncs under way, each within a moment of the one before.
  var courses: [Course] = []
  private var delayed: [LateRequest] = []
  /// Whether a class needs a login, or did while nobody opened all classes.
  var mayNeedLogin = false
  /// Whether a request arrived so late that no listing looks back as far: only a full comparison finds it.
  private(set) var hadVeryLateRequest = false
  /// The last stamp of the edits after the end.
  var afterStamp = 2_000_000
  /// A violation found within a sync, to be thrown after it.
  var found: Violation?

  /// Puts everybody in place.
  ///
  /// - Parameters:
  ///   - world: The world.
  ///   - bug: A mistake at the engine's ports, for tests of the simulator.
  ///   - folder: A folder for the files of the devices, best one in memory; the player removes it.
  /// - Throws: `StoreError` if a device's store cannot be created.
  init(_ world: World, with bug: SeededBug? = nil, in folder: URL) throws {
    self.bug = bug
    self.world = world
    self.folder = folder
    let oracle = Oracle(world)
    self.oracle = oracle
    clock = SimulatedClock(seed: world.seed)
    server = SimulatedServer(world.settings, seed: world.seed, clock: clock) {
      oracle.committed($0, by: $1)
    }
    if world.settings.hasUsers { for user in User.allCases { _ = server.logIn(user) } }
    oracle.identities.ids = server.ids
    let trigger = world.settings.trigger?.sql(in: world)
    let template = try StoreTemplate(of: schema, with: trigger, in: folder)
    for number in 0..<world.settings.deviceCount {
      devices.append(try Device(number, in: folder, from: template, surroundings(of: number)))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var schema: Schema {
    Schema(world.classes.map(\.entity) + world.classes.compactMap(\.pairs))
  }

  private func surroundings(of number: Int) -> Device.Surroundings {
    Device.Surroundings(
      settings: bug?.changed(world.settings) ?? world.settings,
      worldClasses: world.classes, schema: schema, classes: oracle.classes, clock: clock,
      // The player owns its devices, and they own their networks: no closure outlives it.
      network: SimulatedNetwork.Surroundings(
        device: number, clock: clock, server: server,
        reached: { [unowned self] in reached($0, on: number) }, chronicle: tale.chronicle,
        bug: bug, classes: oracle.classes,
        delay: { [unowned self] late, isRepeated in
          delayed.append(late)
          guard isRepeated else { return }
          oracle.willRepeat(creating: RequestSummary.created(by: late.request, oracle.classes))
          oracle.isUnwatched(RequestSummary.changed(by: late.request))
        }),
      identities: oracle.identities, bug: bug,
      committed: { [unowned self] notes in
        oracle.stored(notes, on: number)
        devices[number].history.touch()
        _ = reached(.committed, on: number)
      })
  }

  /// Carries everything out.
  ///
  /// - Throws: `Violation` for the first rule that does not hold; another error where the world could not be
  ///   set up.
  func play() throws {
    try prepare()
    tale.forget()
    startLoops()
    for event in world.events {
      try pass(milliseconds: 1_000)
      try perform(event)
      for device in devices { try device.program.checkObservations() }
    }
    try endFailuresOfDisks()
    try Ending(self).play()
    for device in devices { try device.program.checkObservations() }
    try checkDatabases()
  }

  /// What happened as a story.
  func story(_ title: String) -> String { StoryWriter.story(of: world, tale, title: title) }

  /// The course of everything so far as one number.
  var trace: UInt64 {
    var trace = Trace()
    for value in devices.flatMap(\.traces).map(\.value) {
      withUnsafeBytes(of: value) { trace.add($0) }
    }
    return trace.value
  }

  /// The given rows come, and everybody has them.
  private func prepare() throws {
    server.change { backend in
      for made in world.classes { _ = backend.answer(made.declaration) }
    }
    for made in world.classes where made.isPrivateByRule { allow(.everything, of: made.name) }
    for edit in world.given { try make(edit, by: .client) }
    clock.pass(milliseconds: 600_000)
    if let trigger = world.settings.trigger, trigger.sql(in: world) != nil {
      tally.count("a trigger of the app \(trigger.work.text)", isWithinSync: false)
    }
    for device in devices {
      if let owner = device.owner { device.logIn(owner) }
      try sync(device.number, .all, .rolling, [])
    }
    clock.pass(milliseconds: 86_400_000)
  }

  // MARK: Events

  private func perform(_ event: Event) throws {
    switch event {
    case .edit(let writer, let edit): try make(edit, by: writer)
    case .relate(let writer, let edit): try relate(edit, by: writer)
    case .decide(let device, let decision): try decide(decision, on: device)
    case .beginEdit(let edit): begin(edit)
    case .sync(let device, _, _, let interruptions) where !loops.isEmpty:
      try expectSync(of: device, interruptions)
    case .sync(let device, let selection, let comparison, let interruptions):
      try sync(device, selection, comparison, interruptions)
    case .fetch(let device, let query, let interruptions):
      try fetch(device, query, interruptions)
    case .askAgain(let device, let className):
      try askAgain(devices[device], className)
    case .evict(let device, let rows): try evict(rows, on: devices[device])
    case .reopen(let device):
      tally.count("a device starts again", isWithinSync: false)
      tale.add(.reopen(device))
      if devices[device].disk != nil { Database(devices[device].database).checkpoint() }
      try devices[device].reopen()
      restartLoop(of: device)
    case .reopenOlder(let device):
      tally.count("an older program starts", isWithinSync: false)
      tale.add(.reopenOlder(device))
      try devices[device].reopen(declaring: .older)
      oracle.startedOlder(device)
      restartLoop(of: device)
    case .reopenRetyped(let device, let declaration):
      try reopen(device, declaring: declaration)
    case .backUp(let device):
      tale.add(.backUp(device))
      try devices[device].backUp()
      oracle.backedUp(device)
    case .goBack(let device, let other):
      guard try devices[device].goBack(toBackupOf: devices[other]) else { return }
      restartLoop(of: device)
      tale.add(.goBack(device, toBackupOf: other))
      tally.count("a device goes back to a backup", isWithinSync: false)
      oracle.wentBack(device, toBackupOf: other, of: devices[device].owner)
    case .setClock(let device, let days):
      tale.add(.setClock(device, daysAhead: days))
      tally.count("a clock is set wrong", isWithinSync: false)
      devices[device].setClock(daysAhead: days)
      if days > 0 { oracle.clockJumped() }
    case .renumber(let device): renumber(device)
    case .pass(let seconds):
      tale.add(.pass(seconds))
      try pass(milliseconds: Int64(seconds) * 1000)
    case .failDisk(let device, let failures):
      tale.add(event)
      devices[device].disk?.plan(failures)
    case .deliver:
      deliver()
      networkChanged()
    case .logIn(let device, let user): logIn(user, on: device)
    case .logOut(let device):
      guard devices[device].session != nil else { return }
      tale.add(event)
      tally.count("a user logs out", isWithinSync: false)
      devices[device].logOut()
    case .endSession(let device): endSession(of: device)
    case .allowClass(let className, let access): change(access, of: className)
    case .dropField(let className): try dropField(of: className)
    case .switchProgram(let device): try switchProgram(of: device)
    }
  }

  func change(_ access: ClassAccess, of className: String) {
    tale.add(.allowClass(className, access))
    tally.count("rights of a class change", isWithinSync: !courses.isEmpty)
    allow(access, of: className)
  }

  func dropField(of className: String) throws {
    guard let field = try dropFieldAsOwner(of: className) else { return }
    tale.add(.dropField(className))
    tally.count("a field is dropped", isWithinSync: !courses.isEmpty)
    oracle.dropped(field, of: className)
  }

  func logIn(_ user: User, on number: Int) {
    let device = devices[number]
    guard let owner = device.owner else { return }
    tale.add(.logIn(number, user))
    tally.count(
      user == owner ? "a user logs in anew" : "another user logs in",
      isWithinSync: !courses.isEmpty)
    device.logIn(user)
    loop(of: number)?.woken(at: Double(clock.milliseconds) / 1000)
  }

  func endSession(of number: Int) {
    guard devices[number].session != nil else { return }
    tale.add(.endSession(number))
    tally.count("a session ends", isWithinSync: !courses.isEmpty)
    devices[number].endSession()
  }

  /// Carries an edit out, if there is something to edit.
  func make(_ edit: Edit, by writer: Writer) throws {
    guard !edit.isEmpty else { return }
    var previous: [String: Content] = [:]
    if case .app(let number) = writer, case .set(let row, _) = edit {
      previous = try devices[number].values(of: row)
    }
    let made: Edit? =
      switch writer {
      case .app(let number): try carryOut(edit, over: previous, on: devices[number]) ? edit : nil
      case .client: try makeAsClient(edit)
      }
    guard let made else { return }
    let happening =
      if case .allow = edit { "rights change" } else {
        writer == .client ? "another client writes" : "an app edits"
      }
    tally.count(happening, isWithinSync: !courses.isEmpty)
    let whole = writer == .client ? edit : world.withDefaults(edit)
    oracle.made(whole, by: writer, over: previous)
    tale.add(.edit(writer, made))
    if case .app(let number) = writer { noteEdit(on: number) }
  }

  /// A request of the other client leaves.
  private func begin(_ edit: Edit) {
    guard let request = lateRequest(for: edit) else { return }
    tally.count("another client writes slowly", isWithinSync: false)
    oracle.made(edit, by: .client)
    tale.add(.beginEdit(edit))
    delayed.append(LateRequest(request: request, madeAt: clock.date))
  }

  /// The requests that are late arrive, each with the stamp of its leaving.
  func deliver() {
    guard !delayed.isEmpty else { return }
    tale.add(.deliver)
    tally.count("late requests arrive", isWithinSync: false)
    let arriving = delayed
    delayed = []
    for late in arriving {
      let age = clock.date.timeIntervalSince(late.madeAt)
      if age > world.settings.sync.overlap / .seconds(1) - 10 { hadVeryLateRequest = true }
      oracle.arrivedLate(
        creating: RequestSummary.created(by: late.request, oracle.classes), age: age)
      if age > Oracle.longestRequest {
        oracle.isUnwatched(RequestSummary.changed(by: late.request))
      }
      _ = server.answer(late.request)
    }
  }
}
