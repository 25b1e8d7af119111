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
    for device in player.devices {
      device.setClock(daysAhead: 0)
      if device.isOlder { try device.reopen() }
    }
    if player.world.seed.isMultiple(of: 2) { try player.repairUnreadable() }
    // Longer than any request may still be under way, and than the overlap of listings.
    // A full comparison would also find what a listing should have found.
    let isNeeded = player.hadVeryLateRequest
    for round in 1...Self.rounds {
      player.clock.pass(milliseconds: 600_000)
      let comparison: SyncComparison =
        isNeeded && round == Self.rounds ? .everything : .rolling
      for device in player.devices { try sync(device, comparison) }
    }
    if isNeeded {
      // The comparison of the last device may have made a record that the others lack.
      player.clock.pass(milliseconds: 600_000)
      for device in player.devices { try sync(device, .rolling) }
    }
    guard player.world.settings.isServerTruthful else { return }
    try check()
    player.clock.pass(milliseconds: 600_000)
    for device in player.devices { try idle(device) }
  }

  private func sync(_ device: Device, _ comparison: SyncComparison) throws {
    var planned: Set<Aim>?
    if player.world.settings.plans {
      if let plan = device.plan(comparison), case .success = plan.result {
        planned = Set(plan.actions.map(Aim.init))
      }
      player.countPlan()
    }
    let done = Set(try player.calmSync(device, comparison).map(Aim.init))
    guard let planned else { return }
    guard planned == done else {
      let (left, other) = (planned.subtracting(done), done.subtracting(planned))
      throw Violation(
        .otherThanPlanned,
        "\(device.letter) planned \(left.map(\.text).sorted()) and did not, and did "
          + "\(other.map(\.text).sorted()) unplanned")
    }
  }

  private func check() throws {
    let views = try player.devices.map { try $0.view() }
    var server: [(WorldClass, [String: [String: Content]])] = []
    for made in player.world.classes {
      let rows = player.server.rows(of: made.name)
      server.append((made, try player.oracle.serverRows(of: made, rows)))
    }
    let names = Set(server.flatMap(\.1.keys))
    let unreadable = Set(server.flatMap { Oracle.unreadable($0.1) })
    for (number, view) in views.enumerated() {
      try player.oracle.checkNothingWaits(view, server: names, unreadable: unreadable)
      try player.oracle.checkSafety(number, view)
      for (made, rows) in server {
        try player.oracle.checkEnd(of: made, server: rows, view)
      }
    }
    try player.oracle.checkResurrections(names)
  }

  private func idle(_ device: Device) throws {
    let actions = try player.calmSync(device, .rolling)
    guard actions.isEmpty else {
      throw Violation(
        .unrest,
        "everybody agreed, and yet a sync of \(device.letter) did "
          + "\(actions.map { Aim($0).text })")
    }
    guard device.requestCount <= Self.mostIdleRequests else {
      throw Violation(
        .tooManyRequests,
        "a sync of \(device.letter) with nothing to do took "
          + "\(device.requestCount) requests")
    }
  }
}
