// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// An event of a run.
///
/// More kinds may be added, so have a `default` in your switch.
public enum SyncEvent: Sendable {
  /// The run has locked the store and begins: the in-progress signal.
  case started
  /// A stage begins.
  case stageStarted(StageName)
  /// A class made progress within a stage.
  case progress(SyncProgress)
  /// More bytes of a new file have left.
  case sendingFile(FileUploadProgress)
  /// A stage has ended, after that many seconds.
  case stageEnded(StageName, seconds: Double)
  /// A request failed and will be repeated after a delay.
  case retrying(reason: String, after: Duration)
  /// The server has not answered for that many seconds: said after five, and each time they double.
  ///
  /// The run goes on waiting, up to `SyncOptions.timeout`.
  case waiting(seconds: Double)
  /// A message for the user; the run continues.
  case notice(SyncNotice)
  /// A class was imported completely for the first time.
  case initialSyncCompleted(className: String)
  /// The run has ended without an error: the completed signal.
  case completed(SyncReport)
  /// An error stopped the run; its changes so far stay.
  case failed(SyncError)
}
