// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

/// The present work of a coordinator, and what its store has left to do: all that an app shows of its syncs.
///
/// ```swift
/// let state = try coordinator.state()
/// switch state.activity {
/// case .idle: print("\(state.unsent) unsent")
/// case .syncing(let progress): print("Syncing \(progress?.className ?? "")")
/// case .waiting(let time, let failure): print("\(failure.message) Next try at \(time).")
/// case .paused(let failure): print(failure.message)
/// default: break
/// }
/// ```
public struct SyncState: Sendable, Equatable {
  /// The work of a coordinator; more kinds may be added, so have a `default` in your switch.
  public enum Activity: Sendable, Equatable {
    /// Nothing; `run` begins the next sync at that time at the latest. The time is nil where none is planned.
    case idle(nextSync: Timestamp?)
    /// It syncs; nil before the first class made progress.
    case syncing(Progress?)
    /// The last sync failed, and `run` tries again at that time.
    case waiting(until: Timestamp, because: Failure)
    /// The last sync failed, and each one fails until a person acts, such as by a login; then call `wakeUp(classes:)`.
    case paused(because: Failure)
  }

  /// How far a sync has come.
  public struct Progress: Sendable, Equatable {
    /// The stage and class with their records.
    public var position: SyncProgress
    /// Bytes received in bodies since the sync began.
    public var bytesDown: Int
    /// Bytes sent in bodies since the sync began.
    public var bytesUp: Int
    /// How long the class needs to the end of the stage, at the pace until now; nil where that cannot be told.
    public var timeLeft: Duration?

    /// The class.
    public var className: String { position.className }

    package init(position: SyncProgress, bytesDown: Int, bytesUp: Int, timeLeft: Duration?) {
      self.position = position
      self.bytesDown = bytesDown
      self.bytesUp = bytesUp
      self.timeLeft = timeLeft
    }
  }

  /// Why a sync failed.
  public struct Failure: Sendable, Equatable, Codable {
    /// The kind of failure.
    public var code: SyncError.Code
    /// What happened, what became of the data, and what to do next.
    public var message: String
    /// When it failed, by the device's clock.
    public var time: Timestamp

    package init(_ error: SyncError, at time: Timestamp) {
      self.init(code: error.code, message: error.message, time: time)
    }

    package init(code: SyncError.Code, message: String, time: Timestamp) {
      self.code = code
      self.message = message
      self.time = time
    }
  }

  /// The present work.
  public var activity: Activity
  /// When a sync of the store last came to its end without leaving a class out, of whatever process; nil for never.
  public var lastSuccess: Timestamp?
  /// Why the last sync of the store failed, of whatever process; nil if it came to its end.
  ///
  /// A sync that left a class out has failed, too; the code is then that of the notice, such as `class-failed`.
  /// A sync that did not begin, as it waited for a token or for another process, does not count.
  public var lastFailure: Failure?
  /// The number of unsent changes, the refused ones among them.
  public var unsent: Int
  /// The number of changes that the server refused and that wait for the app.
  public var parked: Int
  /// The number of conflict records that nobody has seen.
  public var conflicts: Int

  package init(
    activity: Activity, lastSuccess: Timestamp?, lastFailure: Failure?, unsent: Int, parked: Int,
    conflicts: Int
  ) {
    self.activity = activity
    self.lastSuccess = lastSuccess
    self.lastFailure = lastFailure
    self.unsent = unsent
    self.parked = parked
    self.conflicts = conflicts
  }
}
