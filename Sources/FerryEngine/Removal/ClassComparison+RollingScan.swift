// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

extension ClassComparison {
  /// Compares the next range of the rolling scan; cuts the class into ranges at the beginning of a
  /// lap.
  func compareRange(
    _ scan: inout RollingScan, _ set: ComparedRecords, _ finding: inout Finding
  ) throws(ClassError) {
    guard let pace = context.stage.scanPace else { return }
    if scan.range == nil { scan.beginLap(try parts(set, pace), pace: pace) }
    guard let range = scan.range else { return }
    let counted = try ranges(set, between: [range.lowerBound, range.upperBound])
    try look(RangeComparison(counted, remote: nil), set, &finding)
    scan.finishRange(on: context.environment.day)
  }

  /// The class in small parts, of which several make a range, with the rows in each.
  private func parts(
    _ set: ComparedRecords, _ pace: ScanPace
  ) throws(ClassError) -> [RangeComparison.Counted] {
    let whole = try ranges(set)
    let rows = whole.reduce(0) { $0 + $1.local }
    guard pace.ranges(forRows: rows) > 1 else { return whole }
    var planner = RangeComparison(
      whole, remote: nil, listedSize: pace.partSize(forRows: rows))
    while true {
      switch planner.next() {
      case .countLocal(let boundaries):
        planner.take(local: try count(boundaries, set), between: boundaries)
      case .list(let buckets):
        return buckets.map { RangeComparison.Counted(range: $0.range, local: $0.local) }
      case .countRemote, .done:
        return whole
      }
    }
  }

  /// The rolling scan of a class that was just listed or compared as a whole.
  func agreeing() throws(ClassError) -> RollingScan {
    RollingScan(
      agreeingOn: context.environment.day, as: userID,
      rows: try context.read { reader throws(StoreError) in
        try reader.acknowledgedCount(of: entity.name)
      },
      pace: context.stage.scanPace)
  }
}
