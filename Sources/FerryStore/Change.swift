// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// One change in history: of one row, or of several rows that one import inserted or changed alike.
public struct Change: Sendable, Equatable {
  /// What happened to the rows.
  public enum Kind: Int, Sendable, Codable {
    /// The rows were inserted.
    case insert = 0
    /// The rows were changed.
    case update = 1
    /// The rows were deleted.
    case delete = 2
  }

  /// The change's position in history.
  public var token: HistoryToken
  /// The class.
  public var className: String
  /// The rows: one, or several with consecutive local ids.
  public var localIDs: ClosedRange<LocalID>
  /// What happened to them.
  public var kind: Kind
  /// The fields that changed, for an update; `Fields.accessList` among them if the access list did.
  public var fields: Set<String>
  /// Who made the change.
  public var author: Author

  package init(
    token: HistoryToken, className: String, localIDs: ClosedRange<LocalID>, kind: Kind,
    fields: Set<String> = [], author: Author
  ) {
    self.token = token
    self.className = className
    self.localIDs = localIDs
    self.kind = kind
    self.fields = fields
    self.author = author
  }
}
