// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// What a run says while it works.
///
/// More kinds may be added: have a `default` in your switch.
public enum SyncEvent: Sendable {
  /// The run has the store to itself and begins: the in-progress signal.
  case started
  /// A stage begins.
  case stageStarted(StageName)
  /// A class made progress within a stage.
  case progress(SyncProgress)
  /// A stage has ended, after that many seconds.
  case stageEnded(StageName, seconds: Double)
  /// A request failed and is tried again after a while.
  case retrying(reason: String, after: Duration)
  /// The server has not answered for that many seconds: said after five, and each time they double.
  ///
  /// The run goes on waiting, up to `SyncOptions.timeout`.
  case waiting(seconds: Double)
  /// Something the user may want to know; the run goes on.
  case notice(SyncNotice)
  /// A class has been brought over for the first time.
  case initialSyncCompleted(className: String)
  /// The run has ended well: the completed signal.
  case completed(SyncReport)
  /// The run was stopped by an error; what was done until then stays done.
  case failed(SyncError)
}
