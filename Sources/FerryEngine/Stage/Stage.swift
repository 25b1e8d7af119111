// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// One step of a sync: a value that describes the work, separate from the operation that runs it.
///
/// A stage passes no results in memory. It leaves its results in the staging area and the store, so
/// a killed process resumes at the first unfinished stage. It runs on an operation's thread and may
/// block.
protocol Stage: Sendable {
  /// Nil for the resolve step before the first stage, which cannot be selected by name.
  var name: StageName? { get }

  /// Does the work.
  ///
  /// A failure of one class or one record is noted in the context, and the stage continues. Only an
  /// error that ends the whole run is thrown.
  func run(in context: StageContext) throws(SyncError)
}
