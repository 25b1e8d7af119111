// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel

/// The outcome of an eviction: the rows that left, and those that stay.
public struct EvictionReport: Sendable, Equatable {
  /// The rows that left the store; their records are on the server.
  public var evicted: [RecordReference]
  /// The rows that stay: the server does not have all of them, or another program keeps values in them.
  public var kept: [RecordReference]

  /// A report made of its parts.
  public init(evicted: [RecordReference] = [], kept: [RecordReference] = []) {
    self.evicted = evicted
    self.kept = kept
  }
}
