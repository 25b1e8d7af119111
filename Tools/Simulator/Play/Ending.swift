// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryEngine
import FerryModel
import FerryPlanning

/// The end of a world: nothing goes wrong any more, and within three syncs a device all must agree.
struct Ending {
  private static let rounds = 3
  /// More requests than any sync of a world in step takes.
  private static let mostIdleRequests = 60
  private let player: Player

  init(_ player: Player) { self.player = player }

  func play() throws {
    player.deliver()
    player.networkChanged()
    if player.world.settings.hasClassRights {
      for made in player.world.classes { player.allow(.everything, of: made.name) }
      player.mayNeedLogin = false
    }
    for device in player.devices {
      device.setClock(daysAhead: 0)
      try device.update()
      if let owner = device.owner { device.logIn(owner) }
    }
    if player.world.seed.isMultiple(of: 2) {
      try player.repairUnreadable()
      try player.repairRetyped()
    }
    // Longer than any request may still be under way, and than the overlap of listings.
    // A full comparison would also find what a listing should have found.
    // Nothing but a full comparison finds records that a user may not read any more.
    // Nothing else finds records that a change of the server's schema made readable.
    let settings = player.world.settings
    let isNeeded =
      player.hadVeryLateRequest || settings.hasAccessLists || settings.hasSchemaChanges
    // A full comparison may hold removals back; a second one, which is confirmed, carries them out.
    let firstWhole = settings.hasAccessLists ? Self.rounds - 1 : Self.rounds
    if settings.plansChosenClasses {
      player.clock.pass(milliseconds: 600_000)
      for device in player.devices {
        try sync(
          device, .rolling, asking: settings.someClasses(of: device.number, in: player.world))
      }
    }
    for round in 1...Self.rounds {
      player.clock.pass(milliseconds: 600_000)
      let comparison: SyncComparison =
        isNeeded && round >= firstWhole ? .everything : .rolling
      for device in player.devices {
        if player.world.settings.hasTwoPrograms { try device.switchProgram() }
        try sync(device, comparison)
        try askServer(device)
      }
    }
    // The comparison of the last device may have made a record that the others lack. Where no row goes, a
    // pointer to that record is rewritten in rows whose records are gone, and the next sync ends that.
    let isEverKept = player.world.classes.contains { $0.deletions == .never }
    let mayBeRewritten = isEverKept && (isNeeded || settings.editWins)
    // An answer of a fetch may lead to a change, such as the end of a second record. The next sync sends it.
    let further =
      (isNeeded ? 1 : 0) + (mayBeRewritten ? 1 : 0) + (player.world.hasOnDemand ? 2 : 0)
    for _ in 0..<further {
      player.clock.pass(milliseconds: 600_000)
      for device in player.devices {
        try sync(device, .rolling)
        try askServer(device)
      }
    }
    for device in player.devices { try askServer(device) }
    try confirmHeldBack()
    guard player.world.settings.isServerTruthful else { return }
    try check()
    player.clock.pass(milliseconds: 600_000)
    for device in player.devices { try idle(device) }
    try player.quietHour()
    if player.world.seed % 4 == 1 { try goOn() }
  }

  /// Devices that hold removals back may do so one after the other: the deletes of the first are what the next one sees.
  private func confirmHeldBack() throws {
    for _ in player.devices where player.devices.contains(where: { !$0.guarded.isEmpty }) {
      player.clock.pass(milliseconds: 600_000)
      for device in player.devices { try sync(device, .everything) }
    }
  }

  /// Where nothing goes wrong, an edit is on the server after one sync, also right after an earlier one.
  private func goOn() throws {
    for device in player.devices {
      guard let row = try player.editableRow(on: device) else { continue }
      let fields = player.fields(of: row)
      // The app edits another field than the client, where there is one.
      if fields.count > 1 { try player.edit(row, fields[fields.count - 1], by: .client) }
      for _ in 0..<2 {
        guard let field = fields.first else { continue }
        try player.edit(row, field, by: .app(device.number))
        _ = try player.calmSync(device, .rolling)
        let view = try device.view()
        guard
          let entry = view.pending.first(where: {
            view.name(of: $0, player.oracle.identities) == row
          })
        else { continue }
        throw Violation(
          .stuck,
          "\(device.letter) edited \(row), and after a sync its \(entry.kind.rawValue) is "
            + "\(entry.state)")
      }
    }
    player.clock.pass(milliseconds: 600_000)
    for device in player.devices { _ = try player.calmSync(device, .rolling) }
    for device in player.devices { try askServer(device) }
    try check()
  }

  /// A device asks for what no sync lists: for all records, or for those of its rows.
  private func askServer(_ device: Device) throws {
    for made in player.world.classes where made.isOnDemand {
      if player.oracle.holdsPart(device.number) {
        try player.askAgain(device, made.name)
      } else {
        try player.fetchAll(made.name, on: device)
      }
    }
  }

  private func sync(
    _ device: Device, _ comparison: SyncComparison, asking classes: Set<String>? = nil
  ) throws {
    var planned: Set<Aim>?
    // It takes for granted that a class which needed a login still does, and the classes are open now.
    if player.world.settings.plans, isForeseeable, try !device.awaitsLogin(),
      try !createsWhatIsThere(device)
    {
      let plan = device.plan(comparison, asking: classes)
      if case .success = plan.result {
        planned = Set(plan.actions.map(Aim.init))
      }
      player.countPlan()
    }
    let settings = player.world.settings
    if planned != nil, settings.hasTwoPrograms, settings.sharesStaging {
      try device.switchProgram()
    }
    // Documented: before its first create, a device does not know which ids follow from it.
    let isForeseen = device.hasCreated
    let done = Set(try player.calmSync(device, comparison, asking: classes).map(Aim.init))
    guard let planned, isForeseen || !device.hasCreated else { return }
    guard planned == done else {
      let (left, other) = (planned.subtracting(done), done.subtracting(planned))
      throw Violation(
        .otherThanPlanned,
        "\(device.letter) planned \(left.map(\.text).sorted()) and did not, and did "
          + "\(other.map(\.text).sorted()) unplanned")
    }
  }

  /// Whether a plan can know all that a sync would do.
  private var isForeseeable: Bool {
    // It cannot know which writes the server refuses.
    guard !player.world.settings.hasAccessLists, player.oracle.schema.isKnown else { return false }
    // A create that arrived after a day is there, and the device learns that when it creates the record again.
    guard !player.hadVeryLateRequest else { return false }
    // A plan creates nothing, so it does not learn that a row which an undo brought back meets its own mark of deletion.
    guard !player.oracle.hasRevivedMarked else { return false }
    // It cannot know which additions of members the server refuses, because their owners are gone.
    if player.world.hasMembers, !player.oracle.history.removed.isEmpty { return false }
    // A copy of the store may have made the record that a create would make, outside the class's filter.
    return !player.oracle.hasGoneBack || !player.world.classes.contains(where: \.isFiltered)
  }

  /// Whether a device is about to create a record that the server has, of a class that no sync lists.
  ///
  /// Documented: an undo brings a row back that was evicted, and a plan creates nothing, so it does not learn that the record is there.
  /// A create also arrives after a look-up has not found its record, and no further look-up comes before the next create.
  private func createsWhatIsThere(_ device: Device) throws -> Bool {
    let view = try device.view()
    return view.pending.contains { entry in
      entry.kind == .create && !entry.hasUnresolvedAttempts
        && player.world.madeClass(entry.className)?.isOnDemand == true
        && player.oracle.history.isThere(view.name(of: entry, player.oracle.identities))
    }
  }

  private func check() throws {
    let views = try player.devices.map { try $0.view() }
    let everything = try rows(for: nil)
    try player.checkMembers(views)
    for (number, view) in views.enumerated() {
      let server = view.owner == nil ? everything : try rows(for: view.owner)
      try player.oracle.checkNothingWaits(
        view, server: Set(server.flatMap(\.1.keys)),
        unreadable: Set(server.flatMap { $0.0.unreadable($0.1) }),
        kept: Set(
          server.filter { !$0.0.isOnDemand || !player.oracle.holdsPart(number) }
            .flatMap { $0.0.unreadableAndKept($0.1) }))
      try player.oracle.checkSafety(number, view)
      for (made, rows) in server {
        try player.oracle.checkEnd(of: made, server: rows, view)
      }
    }
    let names = Set(everything.flatMap(\.1.keys))
    try player.oracle.checkResurrections(names)
    let waiting = views.flatMap { view in
      view.pending.map { view.name(of: $0, player.oracle.identities) }
    }
    try player.oracle.checkRevived(names, waiting: Set(waiting))
  }

  /// The server's rows that a user may read; all of them for nobody.
  private func rows(for user: User?) throws -> [(WorldClass, [String: [String: Content]])] {
    try player.world.classes.map { made in
      let rows = player.server.rows(of: made.name)
      return (made, try player.oracle.serverRows(of: made, rows, for: user))
    }
  }

  private func idle(_ device: Device) throws {
    // A change that waits is told by each sync, and nothing is done.
    let actions = try player.calmSync(device, .rolling).filter { $0.kind != .wait }
    guard actions.isEmpty else {
      throw Violation(
        .unrest,
        "everybody agreed, and yet a sync of \(device.letter) did "
          + "\(actions.map { Aim($0).text })")
    }
    guard device.writeCount == 0 else {
      throw Violation(
        .unrest, "everybody agreed, and yet \(device.letter) sent \(device.writeCount) writes")
    }
    guard device.requestCount <= Self.mostIdleRequests else {
      throw Violation(
        .tooManyRequests,
        "a sync of \(device.letter) with nothing to do took "
          + "\(device.requestCount) requests")
    }
  }
}
