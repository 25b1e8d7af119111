// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// A commit that changed the store.
public struct StoreChange: Sendable, Equatable {
  /// The newest position in history after the commit.
  public var token: HistoryToken
  /// The classes whose rows changed.
  public var classNames: Set<String>
  /// Who made the changes.
  public var authors: Set<Author>

  package init(token: HistoryToken, classNames: Set<String>, authors: Set<Author>) {
    self.token = token
    self.classNames = classNames
    self.authors = authors
  }
}
