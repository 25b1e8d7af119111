// Ferry: offline-first sync for Parse Server. MIT licence.

import Dispatch
import FerryModel
import FerryParse
import FerryPlanning
import Synchronization

/// Imports the pages of a download that goes on, so that the network and the processor work at the same time.
///
/// It waits until some pages are there: for few at the beginning and at the end of a listing, so that the import neither
/// starts late nor leaves much behind. The import stage, which follows the download, imports the rest. It also decides
/// about each page that cannot be imported as it is: here such a page stays as it was staged.
///
/// A listing that has ended is imported to its end, if another class still has pages to come: an app can use a small class
/// while a large one arrives. Otherwise, the import stage is next anyway.
///
/// The download says that pages came. It passes no rows: the import reads the staged files.
final class ImportAhead: Sendable {
  /// A listing that goes on, or that has ended.
  struct Work {
    var entity: Entity
    var scope: ListingScope
    var staged: StagedListing
    /// How many rows are still to come, as far as the server counts them.
    var remaining: Int?
  }

  private struct State {
    /// The listings as they were when they were last given to the queue.
    var awaited: [String: Work] = [:]
    /// The classes that the import stage must look at first.
    var left: Set<String> = []
    var failure: SyncError?
  }

  private let context: StageContext
  /// Nil to import on the thread of the download.
  private let queue: DispatchQueue?
  private let state = Mutex(State())

  /// Prepares imports beside a download.
  ///
  /// - Parameters:
  ///   - context: The run.
  ///   - isInLine: Whether one thread does everything, as in a simulator.
  init(in context: StageContext, isInLine: Bool) {
    self.context = context
    queue = isInLine ? nil : DispatchQueue(label: "ferry.import-ahead")
  }

  /// Takes note of pages that came; returns at once, unless everything is done in line.
  ///
  /// - Throws: The error that ended an import before.
  func pagesCame(_ work: Work) throws(SyncError) {
    let name = work.entity.name
    let (failure, isNew) = state.withLock { state in
      guard !state.left.contains(name) else { return (state.failure, false) }
      let isNew = state.awaited[name] == nil
      state.awaited[name] = work
      return (state.failure, isNew)
    }
    if let failure { throw failure }
    guard isNew else { return }
    guard let queue else {
      importAwaited(name)
      return try throwFailure()
    }
    queue.async { self.importAwaited(name) }
  }

  /// Waits for the present import, and imports nothing more of a class whose pages are about to be discarded.
  func leave(_ className: String) {
    state.withLock { state in
      state.left.insert(className)
      state.awaited[className] = nil
    }
    queue?.sync {}
  }

  /// Waits for the last import.
  ///
  /// - Throws: The error that ended an import.
  func finish() throws(SyncError) {
    queue?.sync {}
    try throwFailure()
  }

  private func throwFailure() throws(SyncError) {
    if let failure = state.withLock(\.failure) { throw failure }
  }

  private func importAwaited(_ className: String) {
    let work = state.withLock { state in
      state.failure == nil ? state.awaited.removeValue(forKey: className) : nil
    }
    guard let work else { return }
    do throws(SyncError) {
      let listing = ListingImport(
        context: context, entity: work.entity, scope: work.scope,
        before: try context.state(.classState(className)), staged: work.staged,
        rowsPerTransaction: context.options.rowsPerImport)
      // The app sees one stage at a time.
      guard !work.staged.isComplete else { return try listing.run(showsProgress: false) }
      guard try !listing.importAhead(ofRemaining: work.remaining) else { return }
      state.withLock { _ = $0.left.insert(className) }
    } catch {
      state.withLock { $0.failure = $0.failure ?? error }
    }
  }
}
