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
    for device in player.devices { device.setClock(daysAhead: 0) }
    // Longer than any request may still be under way, and than the overlap of listings.
    for round in 1...Self.rounds {
      player.clock.pass(milliseconds: 600_000)
      let comparison: SyncComparison = round == Self.rounds ? .everything : .rolling
      for device in player.devices { try sync(device, comparison) }
    }
    try check()
    player.clock.pass(milliseconds: 600_000)
    for device in player.devices { try idle(device) }
  }

  private func sync(_ device: Device, _ comparison: SyncComparison) throws {
    var planned: Set<Aim>?
    if player.world.settings.plans {
      let plan = device.plan(comparison)
      if case .success = plan.result { planned = Set(plan.actions.map(Aim.init)) }
      player.countPlan()
    }
    let run = try player.calmSync(device, comparison)
    guard let planned else { return }
    let done = Set(run.actions.map(Aim.init))
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
    var names: Set<String> = []
    for made in player.world.classes {
      let server = try player.oracle.serverRows(of: made, player.server.rows(of: made.name))
      names.formUnion(server.keys)
      for view in views { try player.oracle.checkEnd(of: made, server: server, view) }
    }
    for (number, view) in views.enumerated() {
      try player.oracle.checkNothingWaits(view, server: names)
      try player.oracle.checkSafety(number, view)
    }
    try player.oracle.checkResurrections(names)
  }

  private func idle(_ device: Device) throws {
    let run = try player.calmSync(device, .rolling)
    guard run.actions.isEmpty else {
      throw Violation(
        .unrest,
        "everybody agreed, and yet a sync of \(device.letter) did "
          + "\(run.actions.map { Aim($0).text })")
    }
    guard device.network.requestCount <= Self.mostIdleRequests else {
      throw Violation(
        .tooManyRequests,
        "a sync of \(device.letter) with nothing to do took "
          + "\(device.network.requestCount) requests")
    }
  }
}
