// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Imports the staged pages of one class.
struct ListingImport {
  let context: StageContext
  let entity: Entity
  let scope: ListingScope
  /// The state of the class before the import.
  let before: ClassState
  let staged: StagedListing
  /// The number of rows in one transaction: enough to make its own cost small, and few enough that
  /// the app never waits long to write.
  let rowsPerTransaction: Int
  /// After this time, a transaction takes no further page: other programs wait for it, often five seconds at most.
  private static let secondsPerTransaction = 1.0

  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }

  /// Imports all staged pages, and decides about those that cannot be imported.
  ///
  /// - Parameter showsProgress: Whether to send events of progress.
  /// - Throws: The error that ends the run.
  func run(showsProgress: Bool = true) throws(SyncError) {
    do throws(SyncError) {
      try importToTheEnd(showsProgress)
    } catch {
      guard error.refusal != nil else { throw error }
      try context.staging.discard(entity.name)
      try context.fail(
        entity.name,
        "The store's table of \(entity.name) takes no row, because another program changed it. Imported "
          + "rows are kept, and other classes went on. Mend the table; the next sync downloads "
          + "the records again. \(error.message)")
    }
  }

  private func importToTheEnd(_ showsProgress: Bool) throws(SyncError) {
    guard fits else {
      try context.staging.discard(entity.name)
      return try context.fail(
        entity.name,
        "The staged pages of \(entity.name) are outdated: its fields or the user changed, or changes "
          + "were sent or imported since. The engine discarded them and imported none; the next sync "
          + "downloads the records again.")
    }
    if !before.hasImported(staged) { guard try importAll(showsProgress) else { return } }
    if staged.isComplete {
      try context.staging.discard(entity.name)
    } else {
      try context.fail(
        entity.name,
        "The download of \(entity.name) is not complete. The engine imported the pages that came, and "
          + "sent nothing of the class; the next sync goes on from there.")
    }
  }

  /// Imports the pages that are not imported yet; false if a page cannot be read.
  private func importAll(_ showsProgress: Bool) throws(SyncError) -> Bool {
    var importer = makeImporter()
    var last = before.lastImportedPage(of: staged.listing)
    // A process that was killed may have imported pages without removing them.
    var removed = 0
    var unseenFields: Set<String> = []
    repeat {
      try context.checkCancellation()
      let step = try importPages(after: last, by: &importer)
      tell(step, showsProgress)
      switch step.obstacle {
      case nil: break
      case .damage(let damage):
        try discard(damage)
        return false
      case .folder(let error): throw error
      }
      try context.staging.removePages(after: removed, through: step.lastPage, of: staged)
      last = step.lastPage
      removed = last
      unseenFields = step.unseenFields
    } while last < staged.lastPage
    tellEnd(unseenFields)
    return true
  }

  private func tellEnd(_ unseenFields: Set<String>) {
    guard staged.end?.coversClass == true else { return }
    let gaps = ListingGaps(
      entity: entity, recordCount: staged.recordCount, unseenFields: unseenFields,
      isFirst: !before.isInitialSyncDone, schemaName: context.schema.name)
    if let notice = gaps.notice { context.notice(notice) }
    if gaps.isFirst { context.events.send(.initialSyncCompleted(className: entity.name)) }
  }

  /// Pages of another scope lack fields or rows, and pages older than a sent change would undo it.
  private var fits: Bool {
    staged.listing.fingerprint == scope.fingerprint && before.isUpToDate(staged.listing)
  }

  private func makeImporter() -> PageImporter {
    var state = before
    state.begin(staged, entity)
    let planner = ImportPlanner(
      entity: entity, policy: context.conflicts.policy(for: entity.name),
      deletionPolicy: context.conflicts.deletionPolicy(for: entity.name),
      unknownFields: state.unknownFields, everListedFields: state.everListedFields,
      now: context.environment.now(),
      listingStartedAt: staged.listing.startedAt,
      maximumRequestDuration: context.options.maximumRequestDuration)
    return PageImporter(
      planner, clientKeyField: context.options.clientKeyField, contents: context.serverContents)
  }

  private enum Obstacle: Error {
    /// The page itself; a new download brings another.
    case damage(PageDamage)
    /// The staging folder; the run ends.
    case folder(SyncError)
  }

  /// The result of one transaction.
  private struct Step {
    var lastPage: Int
    var outcome = ImportOutcome()
    /// The declared fields that no record of the listing has shown up to that page.
    var unseenFields: Set<String> = []
    /// Why the page after `lastPage` cannot be read.
    var obstacle: Obstacle?
  }

  /// Imports pages until the transaction is full, and again without the records that the store refuses.
  private func importPages(
    after last: Int, by importer: inout PageImporter
  ) throws(SyncError) -> Step {
    do {
      return try importPages(after: last, by: &importer, settingAside: false)
    } catch {
      guard error.refusal != nil else { throw error }
    }
    return try importPages(after: last, by: &importer, settingAside: true)
  }

  /// Imports pages until the transaction is full, and records the progress in it.
  private func importPages(
    after last: Int, by importer: inout PageImporter, settingAside: Bool
  ) throws(SyncError) -> Step {
    let refusals = importer.refusals
    return try context.write(try durability(), leavingOut: refusals) {
      transaction throws(StoreError) in
      var step = Step(lastPage: last)
      let start = context.environment.uptime()
      try transaction.fold()
      for page in staged.pages(after: last) {
        switch Self.content(of: page, by: &importer) {
        case .success(let read):
          if settingAside {
            try importer.importAllowed(of: read, into: transaction, &step.outcome)
          } else {
            try importer.importPage(read, into: transaction, &step.outcome)
          }
        case .failure(let obstacle): step.obstacle = obstacle
        }
        guard step.obstacle == nil else { break }
        step.lastPage = page.number
        let isLong = context.environment.uptime() - start >= Self.secondsPerTransaction
        if step.outcome.records >= rowsPerTransaction || isLong || context.cancellation.isCancelled
        {
          break
        }
      }
      try transaction.change(key) { state in
        state.begin(staged, entity)
        state.unseenFields.subtract(importer.shownFields)
        step.unseenFields = state.unseenFields
        state.advance(to: step.lastPage, of: staged)
      }
      return step
    }
  }

  private static func content(
    of page: StagedPage, by importer: inout PageImporter
  ) -> Result<BatchPage, Obstacle> {
    do {
      return try importer.read(page).mapError(Obstacle.damage)
    } catch {
      return .failure(.folder(error))
    }
  }

  /// The next download can fetch rows again; changes of the outbox must survive a power loss.
  private func durability() throws(SyncError) -> Durability {
    try context.read { reader throws(StoreError) in try reader.hasPendingEntries(of: entity.name) }
      ? .full : .normal
  }

  private func tell(_ step: Step, _ showsProgress: Bool) {
    step.outcome.tell(context, entity)
    guard showsProgress else { return }
    context.progress(
      .importing, entity.name, done: staged.recordCount(through: step.lastPage),
      of: staged.recordCount)
  }

  private func discard(_ damage: PageDamage) throws(SyncError) {
    try context.staging.discard(entity.name)
    try context.fail(
      entity.name,
      "A downloaded page of \(entity.name) cannot be read, so the rest of its download was discarded; "
        + "what was imported before is kept. The next sync downloads the class again. \(damage)")
  }
}

extension ListingImport {
  // MARK: Beside the download

  /// Imports pages of a listing that goes on, as long as there are enough of them.
  ///
  /// - Parameter remaining: How many rows are still to come, as far as the server counts them.
  /// - Returns: False if something is not as it should be; the stage after the download decides about it.
  /// - Throws: The error of the store or of the staging folder.
  func importAhead(ofRemaining remaining: Int?) throws(SyncError) -> Bool {
    guard fits, !staged.isComplete else { return false }
    var importer = makeImporter()
    var last = before.lastImportedPage(of: staged.listing)
    var imported = staged.recordCount(through: last)
    var waiting = staged.recordCount - imported
    while waiting >= leastRowsAhead(imported, remaining), !context.cancellation.isCancelled {
      let step: Step
      do throws(SyncError) {
        step = try importPages(after: last, by: &importer)
      } catch {
        guard error.refusal != nil else { throw error }
        return false
      }
      step.outcome.tell(context, entity)
      try context.staging.removePages(after: last, through: step.lastPage, of: staged)
      guard step.obstacle == nil else { return false }
      last = step.lastPage
      imported += step.outcome.records
      waiting -= step.outcome.records
    }
    return true
  }

  /// How many rows make a transaction beside the download.
  ///
  /// It is a quarter of a full one at most: more would leave much behind for the end of the listing. A smaller
  /// transaction costs more for each row. So it is smaller only where it saves time. At the beginning, each has as
  /// many rows as all before it, so that the import begins with the first page. At the end, it has as many rows as
  /// are still to come, so that one page is left at last.
  private func leastRowsAhead(_ imported: Int, _ remaining: Int?) -> Int {
    let most = max(rowsPerTransaction / 4, 1)
    // A listing of few rows waits until its end, so that an interruption does not leave it half imported.
    let fewest = max(rowsPerTransaction / 20, 1)
    return max(min(most, imported, remaining ?? most), fewest)
  }
}

extension ListingImport {
  // MARK: Without pages

  /// Whether nothing but the end of a listing is left to import, as where nothing has changed.
  var isEmpty: Bool {
    fits && staged.isComplete && !before.hasImported(staged)
      && staged.lastPage == before.lastImportedPage(of: staged.listing)
  }

  /// Notes the ends of such listings, in one transaction for all classes.
  static func finish(_ imports: [ListingImport], in context: StageContext) throws(SyncError) {
    guard !imports.isEmpty else { return }
    try context.checkCancellation()
    let unseenFields = try context.write(.normal) { transaction throws(StoreError) in
      try imports.map { work throws(StoreError) in
        var unseenFields: Set<String> = []
        try transaction.change(work.key) { state in
          state.begin(work.staged, work.entity)
          unseenFields = state.unseenFields
          state.advance(to: work.staged.lastPage, of: work.staged)
        }
        return unseenFields
      }
    }
    for (work, unseenFields) in zip(imports, unseenFields) {
      work.tellEnd(unseenFields)
      try context.staging.discard(work.entity.name)
    }
  }
}

extension ClassState {
  /// Whether all pages of an ended listing were imported before their files were removed.
  fileprivate func hasImported(_ staged: StagedListing) -> Bool {
    staged.isComplete && isFinished(staged.listing)
      && lastImportedPage(of: staged.listing) == staged.lastPage && cursor == staged.end?.cursor
  }

  /// Notes that the import of a listing began; repeating it has no effect.
  ///
  /// Fields that were declared since the last listing are unknown until a listing of the whole
  /// class is imported. A listing of another scope may end halfway: its rows then lack what the former scope asked
  /// for, so no listing goes on from where the former one ended.
  fileprivate mutating func begin(_ staged: StagedListing, _ entity: Entity) {
    guard importing?.listingID != staged.listing.id else { return }
    if fingerprint != staged.listing.fingerprint { fingerprint = nil }
    unknownFields = unknownFields(of: entity)
    listedFields = Set(entity.fields.map(\.name))
    // No edit creates a relation on the server, so that its absence harms nothing.
    unseenFields = Set(entity.fields.filter { !$0.type.isRelation }.map(\.name))
    completeListing = nil
    importing = ImportProgress(
      listingID: staged.listing.id, lastPage: lastImportedPage(of: staged.listing))
  }

  /// Notes the last imported page; after the last page of an ended listing, also what the listing
  /// proved.
  fileprivate mutating func advance(to page: Int, of staged: StagedListing) {
    let progress = ImportProgress(listingID: staged.listing.id, lastPage: page)
    importing = progress
    lastImport = progress
    guard let end = staged.end, page == staged.lastPage else { return }
    importing = nil
    unseenFields = []
    fingerprint = staged.listing.fingerprint
    cursor = end.cursor
    completeListing = CompleteListing(staged)
    guard end.coversClass else { return }
    unknownFields = []
    everListedFields.formUnion(listedFields ?? [])
    isInitialSyncDone = true
  }
}

extension StagedListing {
  /// The number of records on the pages up to that number.
  fileprivate func recordCount(through number: Int) -> Int {
    entries.prefix { $0.number <= number }.reduce(0) { $0 + $1.records }
  }
}
