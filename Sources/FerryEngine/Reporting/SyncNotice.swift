// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

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
