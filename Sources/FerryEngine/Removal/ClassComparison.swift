// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Compares one class with the server's records, and updates the local rows.
struct ClassComparison {
  let context: ClassContext
  let completeListing: CompleteListing
  let userID: String?

  /// The creation times, as soon as the comparison has read them.
  private final class Census {
    var times: CreationTimes?
  }

  private let census = Census()
  var entity: Entity { context.entity }
  private var questions: ComparisonQueries { ComparisonQueries(context: context) }
  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }

  /// How far a comparison came.
  struct Progress {
    var scan: RollingScan?
    var logPosition: LogPosition?
  }

  /// Finds differences, fetches and removes records, and returns how far it came.
  func run(
    _ state: ClassState, comparing part: RollingScan.Part
  ) throws(ClassError) -> Progress {
    let (held, known) = try context.read { reader throws(StoreError) in
      let held = try reader.heldRows(of: entity.name)
      return (held, try reader.comparedRecords(of: entity.name, held: held))
    }
    var set = known
    if part != .everything { set.toReadAgain = [] }
    var finding = Finding()
    // The place in the log is taken before anything is compared, so that no deletion is between the two.
    let log = try DeletionLogReading(context: context).read(from: state.logPosition)
    try take(log.objectIDs, &finding.difference, &set)
    let isCounted = entity.countsEachTime && !(log.isWhole && entity.recordFilter == nil)
    let isWhole = part == .everything
    let asks = isWhole ? false : try RemovedReading(context: context).isUsed()
    let planner = try begin(state, set, isWhole: isWhole, isCounted: isCounted, asks: asks)
    if let planner {
      try look(planner, set, &finding, asks: asks)
      // A full scan requests no counts.
      if planner.method == .counting { try note(finding) }
    } else if state.countDisagreements > 0, isCounted {
      try context.change(key) { $0.countDisagreements = 0 }
    }
    var scan: RollingScan =
      if let begun = state.scan { begun.on(context.environment.day) } else { try agreeing() }
    // An answer about ids says nothing of versions.
    if planner?.method == .fullScan, finding.named == nil {
      scan = try agreeing()
    } else if part == .range {
      try compareRange(&scan, known, &finding)
    }
    try fetch(finding.difference.wanted)
    try evict(&finding.difference, waiting: part == .everything ? known.unlisted : [])
    let setAside = try context.read { reader throws(StoreError) in
      try reader.quarantine(of: entity.name)
    }
    try fetchFromOtherSchemas(among: setAside, &finding.difference)
    if entity.deletionStrategy == .never { try keepRows(in: &finding.difference) }
    try fetchRefused(among: setAside)
    let awaited = try fetchAwaited()
    finding.difference.missing.formUnion(awaited)
    finding.difference.missingQuarantined.subtract(awaited)
    let outcome = try MissingRemoval(context: context).run(
      finding.difference, held: held, canary: finding.canary, counts: !state.isCountForbidden)
    try doubt(finding, after: outcome)
    return Progress(
      scan: outcome == .unproven ? state.scan : scan,
      logPosition: try position(after: log, outcome, state))
  }

  /// The findings so far.
  struct Finding {
    var difference = RangeDifference()
    /// A local row that one of the server's lists showed.
    var canary: String?
    /// A range's listing and its count had different numbers of records.
    var disagrees = false
    /// The records that the server's function says are gone; nil if it was not asked, or did not answer.
    var named: Set<String>?
  }

  /// The class in two ranges: the rows from before the listing began, and those from after it.
  ///
  /// While others write, the second range always differs, and only it is then searched. A count
  /// needs a lower bound, or it would be an estimate.
  private var boundaries: [Timestamp] {
    guard let serverTimeLowerBound = completeListing.serverTimeLowerBound,
      serverTimeLowerBound > .countable
    else { return [.countable, .latest] }
    return [.countable, serverTimeLowerBound, .latest]
  }

  /// The comparison to begin; nil if the counts agree or are not requested.
  private func begin(
    _ state: ClassState, _ set: ComparedRecords, isWhole: Bool, isCounted: Bool,
    asks: Bool
  ) throws(ClassError) -> RangeComparison? {
    let scans = isWhole || entity.deletionStrategy == .fullScan
    guard scans || isCounted else { return nil }
    let isCountable =
      completeListing.isCounted && state.isCountTrusted && !state.isCountForbidden
    guard isCountable, !scans else { return RangeComparison(try ranges(set), remote: nil) }
    let all =
      try context.read { reader throws(StoreError) in try reader.acknowledgedCount(of: entity.name)
      } + set.excess
    if completeListing.unchangedCount == all { return nil }
    do {
      let remote = try questions.counts(zip(boundaries, boundaries.dropFirst()).map { $0..<$1 })
      if remote.reduce(0, +) == all { return nil }
      return RangeComparison(
        try ranges(set), remote: set.isDated ? remote : nil,
        listedSize: asks ? RangeComparison.askedSize : nil)
    } catch {
      guard case .failsClass(let failure) = error, failure.isForbidden else { throw error }
      try context.change(key) { $0.isCountForbidden = true }
      noticeUnreliable("The server does not allow to count \(entity.name)")
      return RangeComparison(try ranges(set), remote: nil)
    }
  }

  func ranges(
    _ set: ComparedRecords, between boundaries: [Timestamp]? = nil
  ) throws(ClassError) -> [RangeComparison.Counted] {
    let boundaries = boundaries ?? self.boundaries
    return zip(zip(boundaries, boundaries.dropFirst()), try count(boundaries, set)).map {
      RangeComparison.Counted(range: $0.0..<$0.1, local: $1)
    }
  }

  func count(_ boundaries: [Timestamp], _ set: ComparedRecords) throws(ClassError) -> [Int] {
    set.counts(try creationTimes().counts(between: boundaries), between: boundaries)
  }

  /// The creation times of the local rows, read once: the engine changes no row while it searches.
  func creationTimes() throws(ClassError) -> CreationTimes {
    if let known = census.times { return known }
    let times = try context.read { reader throws(StoreError) in
      try reader.acknowledgedTimes(of: entity.name)
    }
    census.times = times
    return times
  }

  /// Carries out the planner's actions to the end; `asks` says whether the server's function is asked about ids.
  func look(
    _ begun: RangeComparison, _ known: ComparedRecords, _ finding: inout Finding,
    asks: Bool = false
  ) throws(ClassError) {
    var (planner, set) = (begun, known)
    while true {
      try context.checkCancellation()
      switch planner.next() {
      case .countLocal(let boundaries):
        planner.take(local: try count(boundaries, set), between: boundaries)
      case .countRemote(let ranges):
        planner.take(remote: try questions.counts(ranges))
      case .list(let buckets):
        let left = asks ? try ask(about: buckets, &set, &finding) : buckets
        try list(left, set, &finding)
      case .done:
        return
      }
    }
  }

  private func list(
    _ buckets: [RangeComparison.Bucket], _ set: ComparedRecords, _ finding: inout Finding
  ) throws(ClassError) {
    var done = 0
    let counts = try !context.state(key).isCountForbidden
    for group in buckets.grouped(upTo: 100_000) {
      let ranges = group.map(\.range)
      let parts = try creationTimes().localIDs(createdWithin: ranges)
      let rows = try context.read { reader throws(StoreError) in
        try reader.acknowledged(of: entity.name, created: ranges, among: parts)
      }
      for (bucket, local) in zip(group, rows) {
        try context.checkCancellation()
        let remote = try questions.list(bucket.range, counts: counts)
        finding.difference.compare(
          local: local, remote: remote, in: bucket.range, set)
        if let counted = bucket.remote, counted != remote.count { finding.disagrees = true }
        if finding.canary == nil {
          let known = Set(local.map(\.objectID))
          finding.canary = remote.first { known.contains($0.objectID) }?.objectID
        }
        done += 1
        context.stage.progress(.deleteMissing, entity.name, done: done, of: buckets.count)
      }
    }
  }

  /// After two disagreements in a row, the class's count is no longer trusted.
  private func note(_ finding: Finding) throws(ClassError) {
    let count = try context.write(.normal) { transaction throws(StoreError) in
      try transaction.change(key) { state in
        state.countDisagreements = finding.disagrees ? state.countDisagreements + 1 : state.settled
      }
      return try transaction.state(key).countDisagreements
    }
    if finding.disagrees && count == 2 {
      noticeUnreliable("The server counts other records of \(entity.name) than it lists")
    }
  }

  private func noticeUnreliable(_ reason: String) {
    context.stage.notice(
      SyncNotice(
        .countUnreliable, className: entity.name,
        "\(reason), so its counts are not used: from now on all its ids are listed to find deletions. "
          + "Nothing was lost by it."))
  }

  private func keepRows(in difference: inout RangeDifference) throws(ClassError) {
    let missing = difference.missing.sorted()
    let (quarantined, entries) = try context.read { reader throws(StoreError) in
      (
        try reader.quarantined(entity.name, objectIDs: missing),
        try reader.outboxEntries(of: entity.name, objectIDs: missing)
      )
    }
    difference.keepRows(
      quarantined: quarantined.map(\.objectID),
      edited: Set(entries.filter { $0.kind == .update }.map(\.objectID)))
  }

  /// Fetches the records for which a checked write had to wait: a listing of a filter may show none
  /// of them.
  ///
  /// - Returns: The records with unsent edits that the server does not show.
  private func fetchAwaited() throws(ClassError) -> Set<String> {
    var missing = Set<String>()
    var last: RecordKey?
    while true {
      let page = try context.read { reader throws(StoreError) in
        try reader.outbox(.blocked, of: entity.name, after: last, limit: 1000)
      }
      guard let newest = page.last else { return missing }
      last = newest.key
      let awaited = page.filter(\.state.needsRecord)
      let present = try fetch(Set(awaited.map(\.objectID)))
      let edited = awaited.filter { $0.kind == .update }.map(\.objectID)
      missing.formUnion(Set(edited).subtracting(present))
    }
  }

  /// Imports records that differ, and returns which of them exist on the server.
  @discardableResult
  func fetch(_ objectIDs: Set<String>) throws(ClassError) -> Set<String> {
    guard !objectIDs.isEmpty else { return [] }
    var present = Set<String>()
    let importer = try PageImporter(askedFor: .deleteMissing, in: context)
    let lookup = RecordLookup(context: context)
    for chunk in objectIDs.sorted().chunks(of: 1000) {
      let found = try lookup.rows(objectIDs: chunk)
      present.formUnion(found.records.map(\.objectID) + found.failures.compactMap(\.objectID))
      let outcome = try context.write(.full, leavingOut: importer.refusals) {
        transaction throws(StoreError) in
        try transaction.fold()
        var outcome = ImportOutcome()
        try importer.importRecords(found.records, found.failures, into: transaction, &outcome)
        if !found.records.isEmpty { try transaction.outdateStagedPages(of: entity.name) }
        return outcome
      }
      outcome.tell(context.stage, entity)
    }
    return present
  }
}

extension ClassState {
  /// The disagreements after a search without one; a class that is scanned in full stays so.
  fileprivate var settled: Int { isCountTrusted ? 0 : countDisagreements }
}

extension Array {
  /// The elements in groups of that size; the last group may be smaller.
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
