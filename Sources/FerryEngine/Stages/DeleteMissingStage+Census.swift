// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// Compares one class with the server's records of it, and brings the rows here in step.
struct ClassCensus {
  let context: StageContext
  let entity: Entity
  let census: CompleteCensus

  private var questions: CensusQuestions { CensusQuestions(context: context, entity: entity) }
  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }

  func run(_ state: ClassState) throws {
    let held = try context.store.syncRead { try $0.state(.heldRemovals(entity.name)) }
    let set = try context.store.syncRead { try $0.censusSet(of: entity.name, held: held) }
    var finding = Finding()
    if var planner = try begin(state, set) {
      while try advance(&planner, set, &finding) { try context.checkCancellation() }
      try note(finding)
    } else {
      try context.store.sync(.normal) { try $0.change(key) { $0.countDisagreements = 0 } }
    }
    try fetch(finding.difference.wanted)
    try MissingRemoval(context: context, entity: entity).run(
      finding.difference, held: held, witness: finding.witness,
      counts: !state.isCountForbidden)
  }

  /// What was found out so far.
  private struct Finding {
    var difference = CensusDifference()
    /// A row here that a list of the server's showed.
    var witness: String?
    /// A stretch held another number of records when it was listed than when it was counted.
    var disagrees = false
  }

  /// The class in two stretches: what was there when the listing began, and what came after it.
  ///
  /// While others write, the second one differs every time, and it alone is then looked through. A
  /// count needs a lower bound to be a count at all.
  private var boundaries: [Timestamp] {
    guard let floor = census.floor, floor > .countable else { return [.countable, .latest] }
    return [.countable, floor, .latest]
  }

  /// Where to begin; nil where the counts agree.
  private func begin(_ state: ClassState, _ set: CensusSet) throws -> MissingPlanner? {
    let counts = entity.deletionStrategy == .counting && state.countDisagreements < 2
    guard counts, census.isCounted, !state.isCountForbidden else {
      return MissingPlanner(try stretches(set), there: nil)
    }
    let all = try context.store.syncRead { try $0.acknowledgedCount(of: entity.name) } + set.excess
    if census.unchangedCount == all { return nil }
    do {
      let there = try questions.counts(zip(boundaries, boundaries.dropFirst()).map { $0..<$1 })
      return there.reduce(0, +) == all ? nil : MissingPlanner(try stretches(set), there: there)
    } catch let error as ParseError where error.code == .operationForbidden {
      try context.store.sync(.normal) { try $0.change(key) { $0.isCountForbidden = true } }
      noticeUnreliable("The server does not allow to count \(entity.name)")
      return MissingPlanner(try stretches(set), there: nil)
    }
  }

  private func stretches(_ set: CensusSet) throws -> [MissingPlanner.Counted] {
    zip(zip(boundaries, boundaries.dropFirst()), try count(boundaries, set)).map {
      MissingPlanner.Counted(span: $0.0..<$0.1, here: $1)
    }
  }

  private func count(_ boundaries: [Timestamp], _ set: CensusSet) throws -> [Int] {
    try context.store.syncRead {
      set.counts(
        try $0.acknowledgedCounts(of: entity.name, boundaries: boundaries), between: boundaries)
    }
  }

  /// Does the planner's next step; false when there is none.
  private func advance(
    _ planner: inout MissingPlanner, _ set: CensusSet, _ finding: inout Finding
  ) throws -> Bool {
    switch planner.next() {
    case .countHere(let boundaries):
      planner.take(here: try count(boundaries, set), between: boundaries)
    case .countThere(let spans):
      planner.take(there: try questions.counts(spans))
    case .list(let leaves):
      try list(leaves, set, &finding)
    case .done:
      return false
    }
    return true
  }

  private func list(
    _ leaves: [MissingPlanner.Leaf], _ set: CensusSet, _ finding: inout Finding
  ) throws {
    var done = 0
    for group in leaves.grouped(upTo: 100_000) {
      let rows = try context.store.syncRead { try $0.acknowledged(of: entity.name, in: group) }
      for (leaf, here) in zip(group, rows) {
        try context.checkCancellation()
        let there = try questions.list(leaf.span)
        finding.difference.compare(here: here, there: there, in: leaf.span, set)
        if let counted = leaf.there, counted != there.count { finding.disagrees = true }
        if finding.witness == nil {
          let known = Set(here.map(\.objectID))
          finding.witness = there.first { known.contains($0.objectID) }?.objectID
        }
        done += 1
        context.progress(.deleteMissing, entity.name, done: done, of: leaves.count)
      }
    }
  }

  /// Two disagreements in a row, and the class's count is not trusted any more.
  private func note(_ finding: Finding) throws {
    let count = try context.store.sync(.normal) { transaction in
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
    context.notice(
      SyncNotice(
        .countUnreliable, className: entity.name,
        "\(reason), so its counts are not used: from now on all its ids are listed to find deletions. "
          + "Nothing was lost by it."))
  }

  /// Imports records that a list showed and that are not here as they are there.
  private func fetch(_ objectIDs: [String]) throws {
    guard !objectIDs.isEmpty else { return }
    let unknown = try context.store.syncRead { try $0.state(key).unknownFields }
    let planner = ImportPlanner(
      entity: entity, policy: context.conflicts.policy(for: entity.name),
      deletionPolicy: context.conflicts.deletionPolicy(for: entity.name), unknownFields: unknown,
      now: context.environment.now(), listingStartedAt: context.environment.now(),
      settleTime: context.options.settleTime, stage: .deleteMissing)
    let importer = try PageImporter(planner, clientKeyField: context.options.clientKeyField)
    let lookup = RecordLookup(context: context, entity: entity)
    for chunk in objectIDs.chunks(of: 1000) {
      let found = try lookup.rows(objectIDs: chunk)
      let outcome = try context.store.sync(.full) { transaction in
        try transaction.fold()
        var outcome = ImportOutcome()
        try importer.importRecords(found.records, found.failures, into: transaction, &outcome)
        return outcome
      }
      outcome.tell(context, entity)
    }
  }
}

extension ClassState {
  /// The disagreements after a look without one: a class that is swept stays so.
  fileprivate var settled: Int { countDisagreements < 2 ? 0 : countDisagreements }
}

extension Timestamp {
  /// 2000-01-01: every count is of records created since, because without a real constraint the
  /// server gives an estimate.
  static let countable = Timestamp(milliseconds: 946_684_800_000)
}

extension Array {
  /// The elements in runs of that many; the last may be shorter.
  func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
