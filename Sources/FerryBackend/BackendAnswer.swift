// Ferry: offline-first sync for Parse Server. MIT licence.

public import Ferry
public import Foundation

/// An answer of a `BackendStore`, and how new it is.
public struct BackendAnswer<Value> {
  /// Where the rows of an answer were looked for.
  public enum Origin: Sendable, Hashable {
    /// The store alone.
    case store
    /// The server was asked for this answer.
    case server
  }

  /// The answer.
  public var value: Value
  /// Where the rows were looked for.
  public var origin: Origin
  /// When the server last answered the query; nil if it never did.
  public var askedAt: Date?
  /// Whether the store had all records of the query when the server last answered.
  ///
  /// A query of classes that a sync lists is always complete.
  public var isComplete: Bool
  /// Why the server did not answer, for example because it cannot be reached; nil if it did, or was not asked.
  public var failure: SyncError?
}

extension BackendAnswer: Sendable where Value: Sendable {}
