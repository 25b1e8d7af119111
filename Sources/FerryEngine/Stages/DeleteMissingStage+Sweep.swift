// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryStore

extension ClassCensus {
  /// Compares the stretch whose turn it is; the first one of a lap after the class was cut up.
  func compareStretch(
    _ sweep: inout RollingSweep, _ set: CensusSet, _ finding: inout Finding
  ) throws {
    guard let pace = context.sweepPace else { return }
    if sweep.stretch == nil { sweep.beginLap(try parts(set, pace), pace: pace) }
    guard let span = sweep.stretch else { return }
    let stretch = try stretches(set, between: [span.lowerBound, span.upperBound])
    try look(MissingPlanner(stretch, there: nil), set, &finding)
    sweep.finishStretch(on: context.environment.day)
  }

  /// The class in parts of which several make a stretch, with the rows in each.
  private func parts(
    _ set: CensusSet, _ pace: SweepPace
  ) throws -> [MissingPlanner.Counted] {
    let whole = try stretches(set)
    let rows = whole.reduce(0) { $0 + $1.here }
    guard pace.stretches(forRows: rows) > 1 else { return whole }
    var planner = MissingPlanner(
      whole, there: nil, listedSize: pace.partSize(forRows: rows))
    while true {
      switch planner.next() {
      case .countHere(let boundaries):
        planner.take(here: try count(boundaries, set), between: boundaries)
      case .list(let leaves):
        return leaves.map { MissingPlanner.Counted(span: $0.span, here: $0.here) }
      case .countThere, .done:
        return whole
      }
    }
  }

  /// The sweep of a class that was listed or compared as a whole.
  func agreeing() throws -> RollingSweep {
    RollingSweep(
      agreeingOn: context.environment.day, as: userID,
      rows: try context.store.syncRead { try $0.acknowledgedCount(of: entity.name) },
      pace: context.sweepPace)
  }
}
