// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Stage 3: finds rows whose records are gone on the server, and removes them if the guard allows
/// it.
///
/// Parse Server keeps no record of deletions, and a record that the user may no longer read looks
/// deleted. So the stage removes a row only after a complete listing and a second query by id, and
/// only up to a limit. It also compares the next ranges of the rolling scan, for records that a
/// download missed.
struct DeleteMissingStage: Stage {
  let name: StageName? = .deleteMissing

  func run(in context: StageContext) throws(SyncError) {
    let userID = try context.state(.binding)?.userID
    let intact = try context.intactClasses()
    let classes = intact.filter(\.entity.isListed)
    let quiet = try QuietClasses(classes, userID, in: context)
    try quiet.finish(in: context)
    for (entity, state) in classes where !quiet.names.contains(entity.name) {
      try context.checkCancellation()
      let part = state.part(in: context, as: userID)
      guard let completeListing = state.completeListing else {
        if part != .nothing || entity.asksEachTime { notice(entity, in: context) }
        continue
      }
      let comparison = ClassComparison(
        context: ClassContext(entity, in: context), completeListing: completeListing, userID: userID
      )
      var progress = ClassComparison.Progress(scan: state.scan, logPosition: state.logPosition)
      do {
        progress = try comparison.run(state, comparing: part)
      } catch {
        try context.fail(
          entity.name,
          "\(entity.name) could not be looked through for records that are gone on the server. Nothing "
            + "was removed by it; the next sync tries again. \(try error.failure())")
      }
      try context.change(.classState(entity.name)) { [progress] in
        $0.finishComparison(progress.scan)
        $0.logPosition = progress.logPosition
      }
    }
    for (entity, _) in intact where entity.isOnDemand { try lookAfter(entity, in: context) }
  }

  /// Brings the edited rows of an on-demand class up to date.
  private func lookAfter(_ entity: Entity, in context: StageContext) throws(SyncError) {
    do {
      try OnDemandRows(context: ClassContext(entity, in: context)).run()
    } catch {
      let failure = try error.failure()
      try context.fail(
        entity.name, isForbidden: failure.isForbidden,
        "The edited records of \(entity.name) could not be asked for, so its changes wait for the next sync. Its "
          + "rows stay as they are. \(failure)")
    }
  }

  private func notice(_ entity: Entity, in context: StageContext) {
    context.notice(
      SyncNotice(
        .listingIncomplete, className: entity.name,
        "\(entity.name) was not looked through for records that are gone on the server: that needs "
          + "a complete download and import first. Nothing was removed."))
  }
}

extension ClassState {
  /// Notes how far a comparison came.
  ///
  /// A proof is used once: the next search needs its own listing.
  mutating func finishComparison(_ scan: RollingScan?) {
    completeListing = nil
    self.scan = scan
  }

  /// The part of the class to compare in this run.
  func part(in context: StageContext, as userID: String?) -> RollingScan.Part {
    if context.comparison == .everything { return .everything }
    let day = context.environment.day
    guard let part = scan?.on(day).due(on: day, as: userID) else { return .nothing }
    return part == .range && context.scanPace == nil ? .nothing : part
  }
}

extension Entity {
  /// Whether every run asks the server for deletions.
  fileprivate var asksEachTime: Bool { countsEachTime || deletionStrategy == .fullScan }
}

extension StageContext {
  /// The pace of the rolling scan; nil if it is off.
  var scanPace: ScanPace? { ScanPace(share: options.dailyScanShare) }
}
