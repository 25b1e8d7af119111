// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// What a run did.
public struct SyncReport: Sendable, Equatable {
  /// Whether anything was left over.
  public enum Outcome: String, Sendable {
    /// Everything was done.
    case complete
    /// Some records or classes were left: parked, quarantined, guarded or waiting. An ordinary outcome.
    case partial
  }

  /// How many records of a class met which fate.
  public struct Counts: Sendable, Equatable {
    /// Came from the server and are new here.
    public var imported = 0
    /// Came from the server and changed a row here.
    public var updated = 0
    /// Came from the server and were here already.
    public var unchanged = 0
    /// Were removed here because they are gone on the server.
    public var removed = 0
    /// Left this device because the class's filter keeps their records out, which stay on the server.
    public var evicted = 0
    /// Were created on the server.
    public var created = 0
    /// Were edited on the server.
    public var put = 0
    /// Were deleted on the server.
    public var deleted = 0
    /// Had changes on both sides that were brought together.
    public var merged = 0
    /// Were refused by the server and wait for the app.
    public var parked = 0
    /// Wait for another record, for a later pull, or for the outcome of an earlier attempt.
    public var waiting = 0
    /// Came from the server and could not be imported.
    public var quarantined = 0

    package init() {}
  }

  /// What of a class is left when a run has ended, whichever run left it.
  public struct Remainder: Sendable, Equatable {
    /// Changes that were refused and wait for the app.
    public var parked = 0
    /// Changes that wait for another record, for a newer version, or for the outcome of an attempt.
    public var waiting = 0
    /// Removals and deletes that wait for a confirmation.
    public var held = 0
    /// Records of the server's that could not be imported.
    public var quarantined = 0

    /// Whether nothing is left.
    public var isEmpty: Bool { self == Remainder() }

    package init() {}
  }

  /// How long a stage took.
  public struct StageTime: Sendable, Equatable {
    /// The stage.
    public var stage: StageName
    /// Its duration in seconds.
    public var seconds: Double
  }

  /// The counts, by class; every registered class is there.
  public var classes: [String: Counts] = [:]
  /// What is left, by class; only classes with something left are there.
  ///
  /// A class that the schema does not register is there as long as it has unsent changes.
  public var remaining: [String: Remainder] = [:]
  /// The stages that ran, in order.
  public var stages: [StageTime] = []
  /// Requests sent, repeated ones counted each time.
  public var requests = 0
  /// Bytes received in bodies.
  public var bytesDown = 0
  /// Bytes sent in bodies.
  public var bytesUp = 0
  /// What a user may want to know.
  public var notices: [SyncNotice] = []
  /// Removals that wait for a confirmation.
  public var guarded: [GuardedRemoval] = []

  /// Partial when anything is parked, quarantined, guarded or waiting, or a class failed, also where an
  /// earlier run left it.
  public var outcome: Outcome {
    let left = classes.values.contains { $0.parked + $0.quarantined + $0.waiting > 0 }
    let failed = notices.contains { [.classFailed, .listingIncomplete].contains($0.code) }
    return left || failed || !guarded.isEmpty || !remaining.isEmpty ? .partial : .complete
  }

  package init() {}
}
