// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning

/// A message for the user that does not stop a run.
public struct SyncNotice: Sendable, Equatable {
  /// The subject of the notice; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The class could not be synced in this run.
    public static let classFailed = Code(rawValue: "class-failed")
    /// The class, or creating its records, needs a login, and nobody is logged in; everything else went on.
    public static let loginNeeded = Code(rawValue: "login-needed")
    /// A record from the server went into quarantine.
    public static let quarantined = Code(rawValue: "quarantined")
    /// A rule that another program added to a table keeps a row as it is; everything else went on.
    public static let rowRefused = Code(rawValue: "row-refused")
    /// A trigger of another program removed or replaced rows while the sync wrote, and the sync put them back.
    public static let removedByTrigger = Code(rawValue: "removed-by-trigger")
    /// The server refused a change for good, and the change waits for the app.
    public static let parked = Code(rawValue: "parked")
    /// Removals wait for a confirmation.
    public static let guarded = Code(rawValue: "guarded")
    /// A confirmation let nothing pass, because the run found no such set.
    public static let confirmationUnused = Code(rawValue: "confirmation-unused")
    /// The class's count cannot be trusted; the engine lists its ids instead.
    public static let countUnreliable = Code(rawValue: "count-unreliable")
    /// The server's deletion log was of no use to a class that is declared with it; the engine compares counts.
    public static let deletionLogUnused = Code(rawValue: "deletion-log-unused")
    /// The server's function for deletions was of no use to a class that is declared with it; the engine lists ranges.
    public static let deletionFunctionUnused = Code(rawValue: "deletion-function-unused")
    /// Records seem to be gone on the server, but this is not proven; their rows stay.
    public static let absenceUnproven = Code(rawValue: "absence-unproven")
    /// The server's batch requests do not work; the engine sends records singly.
    public static let batchUnavailable = Code(rawValue: "batch-unavailable")
    /// The listing did not end; the next run continues it.
    public static let listingIncomplete = Code(rawValue: "listing-incomplete")
    /// A record changed on the server since it was imported; its edit waits for the next run.
    public static let waitsForPull = Code(rawValue: "waits-for-pull")
    /// The first listing of the class brought no record: it is empty, or its name is wrong.
    public static let classEmpty = Code(rawValue: "class-empty")
    /// No record of a whole listing had a value in some declared fields: their names may be wrong.
    public static let fieldsWithoutValues = Code(rawValue: "fields-without-values")
    /// The app's resolver of conflicts failed; the server's values stay.
    public static let resolverFailed = Code(rawValue: "resolver-failed")
    /// The outcome of a write is unknown; the engine will ask the server.
    public static let outcomeUnknown = Code(rawValue: "outcome-unknown")

    /// Whether such a notice says that the run left the class out, in whole or from some moment on.
    public var leavesClassOut: Bool { self == .classFailed || self == .loginNeeded }
  }

  /// The subject of the notice.
  public var code: Code
  /// The class, if the notice is about one.
  public var className: String?
  /// The local row, if the notice is about one.
  public var localID: LocalID?
  /// The record's object id on the server, if the notice is about one record that is there.
  public var objectID: String?
  /// What happened, what became of the data, what to do.
  public var message: String

  package init(
    _ code: Code, className: String? = nil, localID: LocalID? = nil, objectID: String? = nil,
    _ message: String
  ) {
    self.code = code
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.message = message
  }
}
