// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
public import FerryPlanning

/// How much history a store keeps, and who has read how far.
public struct HistoryExtent: Sendable, Equatable {
  /// The position behind which history is kept.
  public var prunedThrough: HistoryToken
  /// The newest position.
  public var last: HistoryToken
  /// A time at which the oldest changes that are kept had been written; nil for an empty history.
  public var since: Timestamp?
  /// The named readers, and the position up to which each has merged history.
  public var readers: [String: HistoryToken]

  /// How many positions are kept; an import that inserts many rows needs few.
  public var count: Int64 { last.rawValue - prunedThrough.rawValue }

  package init(
    prunedThrough: HistoryToken, last: HistoryToken, since: Timestamp?,
    readers: [String: HistoryToken]
  ) {
    self.prunedThrough = prunedThrough
    self.last = last
    self.since = since
    self.readers = readers
  }
}
