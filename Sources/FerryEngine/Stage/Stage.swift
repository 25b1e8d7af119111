// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// One step of a sync: a value that says what is done, apart from the operation that carries it.
///
/// A stage hands nothing on in memory. What it leaves is in the staging area and in the store, so a
/// killed process resumes at the first unfinished stage. It runs on an operation's thread and may block.
protocol Stage: Sendable {
  /// Nil for the settling before the first stage, which has no name to select it by.
  var name: StageName? { get }

  /// Does the work.
  ///
  /// What concerns one class or one record is noted in the context and the rest goes on; thrown is
  /// only what ends the whole run.
  func run(in context: StageContext) throws(SyncError)
}
