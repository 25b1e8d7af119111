// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// The results of a run.
public struct SyncReport: Sendable, Equatable {
  /// Whether anything was left over.
  public enum Outcome: String, Sendable {
    /// The run did everything.
    case complete
    /// Some records or classes are left: parked, quarantined, guarded or waiting. This is an
    /// ordinary outcome.
    case partial
  }

  /// The numbers of a class's records, by result.
  public struct Counts: Sendable, Equatable {
    /// Records from the server that are new on this device.
    public var imported = 0
    /// Records from the server that changed a local row.
    public var updated = 0
    /// Records from the server that equal their local rows; one that comes twice, as pages overlap, counts twice.
    public var unchanged = 0
    /// Local rows removed because their records are gone on the server.
    public var removed = 0
    /// Rows that left this device because their records are outside the class's filter; the records
    /// stay on the server.
    public var evicted = 0
    /// New files sent to the server.
    public var uploaded = 0
    /// Records created on the server.
    public var created = 0
    /// Records edited on the server.
    public var put = 0
    /// Records deleted on the server.
    public var deleted = 0
    /// Records with changes on both sides that were merged.
    public var merged = 0
    /// Records that the server refused and that wait for the app.
    public var parked = 0
    /// Records that wait for another record, for a later pull, for the outcome of an earlier attempt, or for the
    /// end of a rule that another program added to their table.
    public var waiting = 0
    /// Records whose removal or delete is held back until it is confirmed.
    public var held = 0
    /// Records from the server that could not be imported.
    public var quarantined = 0

    package init() {}
  }

  /// The remainder of a class at the end of a run, whichever run left it.
  public struct Remainder: Sendable, Equatable {
    /// Changes that were refused and wait for the app.
    public var parked = 0
    /// Changes that wait for another record, for a newer version, for the outcome of an attempt, or for a
    /// schema that has their class or field; and removals of rows that a rule of another program keeps.
    public var waiting = 0
    /// Removals and deletes that wait for a confirmation.
    public var held = 0
    /// Records of the server's that could not be imported.
    public var quarantined = 0

    /// Whether nothing is left.
    public var isEmpty: Bool { self == Remainder() }

    package init() {}
  }

  /// The duration of a stage.
  public struct StageTime: Sendable, Equatable {
    /// The stage.
    public var stage: StageName
    /// Its duration in seconds.
    public var seconds: Double

    package init(stage: StageName, seconds: Double) {
      self.stage = stage
      self.seconds = seconds
    }
  }

  /// The counts, by class; every registered class is there.
  public var classes: [String: Counts] = [:]
  /// The remainders by class; only classes that have one are there.
  ///
  /// A class that the schema does not register is there as long as it has unsent changes. Edits of fields
  /// that the schema does not declare wait, too.
  public var remaining: [String: Remainder] = [:]
  /// The time from which a further sync can move an unsent change without any edit; nil for none.
  ///
  /// It is the time of the run's end if any further sync may do something. It is later if each change
  /// pauses after failures, or if the server may still carry out an attempt whose answer was lost. It is a
  /// minute later if the server must change first: it did not show a record, or the run left the class out.
  /// Parked changes, those that wait for a confirmation, and those whose record points to a record of such
  /// a change count for nothing here: they wait for the app. An app that starts later asks
  /// `StoreInspection.nextSync(_:)`.
  public var nextSync: Timestamp?
  /// The conflict records that the run wrote, by class and reason; only classes that have some are
  /// there.
  ///
  /// Each holds values that were overwritten or removed. `StoreReader.conflicts(of:limit:)` lists them.
  public var conflicts: [String: [ConflictRecord.Reason: Int]] = [:]
  /// The run, as its conflict records name it (`ConflictRecord.run`); nil if it wrote none.
  ///
  /// `StoreReader.conflicts(ofRun:)` lists them, and `StoreTransaction.restoreConflicts(ofRun:)` restores them. It is the
  /// number of the first of them, so no other run has it. The report of a plan names the run that a sync would be.
  public var conflictRun: Int64?
  /// The stages that ran, in order.
  public var stages: [StageTime] = []
  /// Requests sent; a repeated request counts each time.
  public var requests = 0
  /// Bytes received in bodies.
  public var bytesDown = 0
  /// Bytes sent in bodies.
  public var bytesUp = 0
  /// Messages for the user.
  public var notices: [SyncNotice] = []
  /// Removals that wait for a confirmation.
  public var guarded: [GuardedRemoval] = []

  /// Partial when anything is parked, quarantined, guarded or waiting, or a class failed, also where an
  /// earlier run left it.
  public var outcome: Outcome {
    let left = classes.values.contains { $0.parked + $0.quarantined + $0.waiting + $0.held > 0 }
    let failed = notices.contains {
      $0.code.leavesClassOut || [.listingIncomplete, .rowRefused].contains($0.code)
    }
    return left || failed || !guarded.isEmpty || !remaining.isEmpty ? .partial : .complete
  }

  package init() {}
}
