// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The outcome of a fetch: the rows that it brought into the store.
///
/// ```swift
/// let fetched = try await coordinator.fetch(Query("Photo", where: .field("album", .equal, "Rome")))
/// print("\(fetched.records.count) rows, all of them: \(fetched.isComplete)")
/// ```
public struct FetchedRecords: Sendable, Equatable {
  /// The rows of the records that the server gave, in no order.
  ///
  /// Where the server decides only a part of the condition, rows are among them for which it does not hold. A record that
  /// the app has deleted, and whose delete is unsent, has no row.
  public var records: [RecordReference]
  /// The object ids of the records that do not fit the schema; they are in quarantine, and their rows stay as they were.
  public var unreadable: [String]
  /// Whether the server decided the whole condition.
  ///
  /// If not, it was asked for more records, and the store finishes the query.
  public var isExact: Bool
  /// Whether all of the query's records came; false if the server has more than the fetch may bring.
  public var isComplete: Bool

  /// A result made of its parts.
  public init(
    records: [RecordReference], unreadable: [String] = [], isExact: Bool, isComplete: Bool
  ) {
    self.records = records
    self.unreadable = unreadable
    self.isExact = isExact
    self.isComplete = isComplete
  }
}
