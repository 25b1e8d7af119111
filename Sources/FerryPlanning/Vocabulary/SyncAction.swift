// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// One thing that a sync does to one record.
public struct SyncAction: Sendable, Hashable {
  /// What is done.
  public enum Kind: String, Sendable, CaseIterable {
    /// A row is inserted here.
    case insert
    /// A row is changed here.
    case update
    /// Changes of both sides are brought together here.
    case merge
    /// A row is removed here.
    case remove
    /// A row leaves this device because the class's filter keeps its record out; it stays on the server.
    case evict
    /// A record from the server is set aside.
    case quarantine
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

  /// The stage that does it.
  public var stage: StageName
  /// What is done.
  public var kind: Kind
  /// The class.
  public var className: String
  /// The row here; nil for one that is only on the server.
  public var localID: LocalID?
  /// The record's object id, when it has one that lasts: never a minted one that the server replaces.
  public var objectID: String?
  /// The fields concerned, in the order of their names.
  public var fields: [String]
  /// Why, where that is not plain.
  public var reason: String?

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
