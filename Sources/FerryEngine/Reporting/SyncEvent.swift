// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

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
  /// Something the user may want to know; the run goes on.
  case notice(SyncNotice)
  /// A class has been brought over for the first time.
  case initialSyncCompleted(className: String)
  /// The run has ended well: the completed signal.
  case completed(SyncReport)
  /// The run was stopped by an error; what was done until then stays done.
  case failed(SyncError)
}

/// How far a class has come within a stage.
public struct SyncProgress: Sendable, Equatable {
  /// The stage.
  public var stage: StageName
  /// The class.
  public var className: String
  /// Records done.
  public var done: Int
  /// Records expected, where that is known.
  public var expected: Int?

  package init(stage: StageName, className: String, done: Int, expected: Int?) {
    self.stage = stage
    self.className = className
    self.done = done
    self.expected = expected
  }
}

/// Something worth telling that does not stop a run.
public struct SyncNotice: Sendable, Equatable {
  /// What the notice is about; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The class could not be synced in this run.
    public static let classFailed = Code(rawValue: "class-failed")
    /// A record from the server was set aside.
    public static let quarantined = Code(rawValue: "quarantined")
    /// A change was refused for good and waits for the app.
    public static let parked = Code(rawValue: "parked")
    /// Removals wait for a confirmation.
    public static let guarded = Code(rawValue: "guarded")
    /// The class's count cannot be trusted; its ids are listed instead.
    public static let countUnreliable = Code(rawValue: "count-unreliable")
    /// Records seem to be gone on the server, which cannot be proven; their rows are kept.
    public static let absenceUnproven = Code(rawValue: "absence-unproven")
    /// The server's batch requests do not work; records are sent singly.
    public static let batchUnavailable = Code(rawValue: "batch-unavailable")
    /// The listing did not come to its end; the next run goes on.
    public static let listingIncomplete = Code(rawValue: "listing-incomplete")
    /// A record changed on the server since it was read; its edit waits for the next run.
    public static let waitsForPull = Code(rawValue: "waits-for-pull")
    /// The outcome of a write is unknown and will be asked for.
    public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
  }

  /// What the notice is about.
  public var code: Code
  /// The class, where it is about one.
  public var className: String?
  /// The record, where it is about one.
  public var objectID: String?
  /// What happened, what became of the data, what to do.
  public var message: String

  package init(
    _ code: Code, className: String? = nil, objectID: String? = nil, _ message: String
  ) {
    self.code = code
    self.className = className
    self.objectID = objectID
    self.message = message
  }
}
