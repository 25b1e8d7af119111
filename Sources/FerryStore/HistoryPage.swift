// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning

/// Transactions of history, and how far they reach.
public struct HistoryPage: Sendable, Equatable {
  /// The transactions with changes that the filter lets pass, oldest first.
  public var transactions: [HistoryTransaction]
  /// The position up to which history was looked through: behind it, the next page begins.
  public var through: HistoryToken
  /// Whether history went on behind the page when it was read.
  public var hasMore: Bool

  /// How often the store had gone back to a backup when the page was read.
  package var restorations: Int
  /// Whether the store knew the named reader whose page this is, so that a reader unknown since is a removed one.
  package var isOfKnownReader = false

  package init(
    transactions: [HistoryTransaction], through: HistoryToken, hasMore: Bool, restorations: Int = 0
  ) {
    self.transactions = transactions
    self.through = through
    self.hasMore = hasMore
    self.restorations = restorations
  }
}
