// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// The import of what is staged of one class.
struct ListingImport {
  let context: StageContext
  let entity: Entity
  let staged: StagedListing
  let rowsPerTransaction: Int

  private var key: BookkeepingKey<ClassState> { .classState(entity.name) }

  func run() throws {
    let before = try context.store.syncRead { try $0.state(key) }
    guard try fits(before) else {
      try context.staging.discard(entity.name)
      return context.fail(
        entity.name,
        "What was staged of \(entity.name) no longer fits: its fields or the user changed, or changes "
          + "were sent since. It was discarded and nothing of it imported; the next sync downloads "
          + "it again.")
    }
    if !before.hasImported(staged) { guard try importAll(before) else { return } }
    if staged.isComplete {
      try context.staging.discard(entity.name)
    } else {
      context.fail(
        entity.name,
        "The download of \(entity.name) is not complete. What has come is imported, nothing of the "
          + "class is sent, and the next sync goes on from there.")
    }
  }

  /// Imports what has not been imported yet; false where a page cannot be read.
  private func importAll(_ before: ClassState) throws -> Bool {
    var importer = try makeImporter(before)
    var last = before.lastPage(of: staged)
    repeat {
      try context.checkCancellation()
      let step = try importPages(after: last, by: &importer)
      tell(step)
      if let damage = step.damage {
        try discard(damage)
        return false
      }
      last = step.lastPage
      try context.staging.removePages(through: last, of: staged)
    } while last < staged.lastPage
    if staged.end?.coversClass == true && !before.isInitialSyncDone {
      context.events.send(.initialSyncCompleted(className: entity.name))
    }
    return true
  }

  /// Pages of another scope lack something, and pages older than a change of ours would undo it.
  private func fits(_ state: ClassState) throws -> Bool {
    try staged.listing.fingerprint == context.scope(of: entity).fingerprint
      && staged.listing.uploadSequence == state.uploadSequence
  }

  private func makeImporter(_ before: ClassState) throws -> PageImporter {
    var state = before
    state.begin(staged, entity)
    let planner = ImportPlanner(
      entity: entity, policy: context.conflicts.policy(for: entity.name),
      deletionPolicy: context.conflicts.deletionPolicy(for: entity.name),
      unknownFields: state.unknownFields, now: context.environment.now(),
      listingStartedAt: staged.listing.startedAt,
      maximumRequestDuration: context.options.maximumRequestDuration)
    return try PageImporter(planner, clientKeyField: context.options.clientKeyField)
  }

  /// What one transaction did.
  private struct Step {
    var lastPage: Int
    var outcome = ImportOutcome()
    /// Why the page after `lastPage` cannot be read.
    var damage: (any Error)?
  }

  /// Imports pages until the transaction is full, together with how far the import has come.
  private func importPages(after last: Int, by importer: inout PageImporter) throws -> Step {
    try context.store.sync(durability()) { transaction in
      var step = Step(lastPage: last)
      try transaction.fold()
      for page in staged.pages(after: last) {
        do {
          try importer.importPage(page.contents(), into: transaction, &step.outcome)
        } catch  where error is StagedPageDamage || error is PageError {
          step.damage = error
          break
        }
        step.lastPage = page.number
        if step.outcome.records >= rowsPerTransaction || context.cancellation.isCancelled { break }
      }
      try transaction.change(key) { state in
        state.begin(staged, entity)
        state.advance(to: step.lastPage, of: staged)
      }
      return step
    }
  }

  /// Rows alone can be had again by the next download; what touches unsent changes is made to last.
  private func durability() throws -> Durability {
    try context.store.syncRead { try $0.pendingEntries(of: entity.name).isEmpty } ? .normal : .full
  }

  private func tell(_ step: Step) {
    step.outcome.tell(context, entity)
    context.progress(
      .importing, entity.name, done: staged.recordCount(through: step.lastPage),
      of: staged.recordCount)
  }

  private func discard(_ damage: any Error) throws {
    try context.staging.discard(entity.name)
    context.fail(
      entity.name,
      "A downloaded page of \(entity.name) cannot be read, so the rest of its download was discarded; "
        + "what was imported before is kept. The next sync downloads the class again. \(damage)")
  }
}

extension ClassState {
  /// The number of the last page of a listing that was imported; 0 for none.
  fileprivate func lastPage(of staged: StagedListing) -> Int {
    lastImport.flatMap { $0.listingID == staged.listing.id ? $0.lastPage : nil } ?? 0
  }

  /// Whether all of a listing that came to its end was imported, before its files were removed.
  fileprivate func hasImported(_ staged: StagedListing) -> Bool {
    staged.isComplete && importing == nil && lastImport?.listingID == staged.listing.id
      && lastPage(of: staged) == staged.lastPage && cursor == staged.end?.cursor
  }

  /// Notes that the pages of a listing are being imported; again and again without effect.
  ///
  /// Fields that are declared now and were not when rows were last listed are unknown until a
  /// listing of the whole class has been imported.
  fileprivate mutating func begin(_ staged: StagedListing, _ entity: Entity) {
    guard importing?.listingID != staged.listing.id else { return }
    let declared = Set(entity.fields.map(\.name))
    let added = listedFields.map { declared.subtracting($0) } ?? []
    unknownFields = unknownFields.intersection(declared).union(added)
    listedFields = declared
    completeListing = nil
    importing = ImportProgress(listingID: staged.listing.id, lastPage: lastPage(of: staged))
  }

  /// Notes the last page imported; behind the last one of a listing that came to its end, what the
  /// listing proved.
  fileprivate mutating func advance(to page: Int, of staged: StagedListing) {
    let progress = ImportProgress(listingID: staged.listing.id, lastPage: page)
    importing = progress
    lastImport = progress
    guard let end = staged.end, page == staged.lastPage else { return }
    importing = nil
    fingerprint = staged.listing.fingerprint
    cursor = end.cursor
    completeListing = CompleteListing(staged)
    guard end.coversClass else { return }
    unknownFields = []
    isInitialSyncDone = true
  }
}

extension StagedListing {
  /// How many records the pages up to the one with that number have.
  fileprivate func recordCount(through number: Int) -> Int {
    entries.prefix { $0.number <= number }.reduce(0) { $0 + $1.records }
  }
}
