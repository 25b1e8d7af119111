// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

/// Brings another library's objects into the store, and leaves the report in the ledger.
///
/// It goes through the source twice: rows first, so that the edits that follow find them.
struct ObjectImportStage: Stage {
  let name: StageName? = nil
  let source: any ObjectSource

  /// How many objects one transaction takes.
  private static let objectsPerPage = 500

  func run(in context: StageContext) throws(SyncError) {
    do throws(ObjectSourceError) {
      try source.check()
    } catch {
      throw SyncError(error)
    }
    var work = try ObjectImport(context, reader())
    try forEachPage(in: context) { page throws(SyncError) in try work.importRows(page) }
    if work.hasEdits {
      work = try ObjectImport(context, reader(), going: work.report)
      try forEachPage(in: context) { page throws(SyncError) in try work.importEdits(page) }
    }
    context.ledger.imported(work.report)
  }

  private func forEachPage(
    in context: StageContext, _ body: ([KeptObject]) throws(SyncError) -> Void
  ) throws(SyncError) {
    let pages = try reader()
    while true {
      try context.checkCancellation()
      let page: [KeptObject]
      do throws(ObjectSourceError) {
        page = try pages.next(Self.objectsPerPage)
      } catch {
        throw SyncError(error)
      }
      guard !page.isEmpty else { return }
      try body(page)
    }
  }

  private func reader() throws(SyncError) -> any ObjectReader {
    do {
      return try source.makeReader()
    } catch {
      throw SyncError(error)
    }
  }
}

extension SyncError {
  /// The run's error for a source that cannot be read.
  package init(_ error: ObjectSourceError) {
    let code: Code =
      switch error.code {
      case .damaged, .otherKind: .malformedData
      case .busy: .busy
      default: .localStorage
      }
    self.init(code, error.message, cause: error)
  }
}
