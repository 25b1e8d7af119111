// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// One action of a sync on one record.
public struct SyncAction: Sendable, Hashable {
  /// The kind of action.
  public enum Kind: String, Sendable, CaseIterable {
    /// A row is inserted locally.
    case insert
    /// A local row is changed.
    case update
    /// Changes of both sides are merged locally.
    case merge
    /// A local row is removed.
    case remove
    /// A row leaves this device because its record is outside the class's filter; the record stays
    /// on the server.
    case evict
    /// A record from the server goes into quarantine.
    case quarantine
    /// A new file of a field is sent to the server, before its record.
    case upload
    /// A record is created on the server.
    case post
    /// Fields are sent to the server.
    case put
    /// A record is deleted on the server.
    case delete
    /// A change is refused and waits for the app.
    case park
    /// A change waits for another record, a later pull, or the outcome of an earlier attempt.
    case wait
    /// Removals of the class wait for a confirmation.
    case hold
  }

  /// The class.
  public var className: String
  /// The record's object id if it is permanent, never a minted id that the server will replace.
  public var objectID: String?
  /// The fields, in the order of their names.
  public var fields: [String]
  /// The reason, unless it is obvious.
  public var reason: String?

  // A run keeps many of these, so the small members stand together.
  /// The local row; nil for a record that is only on the server.
  public var localID: LocalID?
  /// The stage of the action.
  public var stage: StageName
  /// The kind of action.
  public var kind: Kind

  package init(
    _ kind: Kind, in stage: StageName, className: String, localID: LocalID? = nil,
    objectID: String? = nil, fields: some Sequence<String> = [], reason: String? = nil
  ) {
    self.stage = stage
    self.kind = kind
    self.className = className
    self.localID = localID
    self.objectID = objectID
    self.fields = fields.sorted()
    self.reason = reason
  }
}
