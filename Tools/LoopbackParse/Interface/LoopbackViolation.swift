// Ferry: offline-first sync for Parse Server. MIT licence.

/// Something a client sent that is known to harm a real server, or to be undone by it in silence.
///
/// The backend answers as the real server would, and keeps a list. A test of a client asserts at its
/// end that the list is empty:
///
/// ```swift
/// #expect(server.violations.isEmpty)
/// ```
public struct LoopbackViolation: Hashable, Sendable {
  /// The kind of harm.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String

    /// Makes a kind from its name.
    ///
    /// - Parameter rawValue: the name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A PUT body with `objectId`: on PostgreSQL it renames the row.
    public static let objectIdInUpdate = Kind(rawValue: "objectIdInUpdate")
    /// A PUT body with `createdAt` or `updatedAt`: ignored without a word.
    public static let timestampInUpdate = Kind(rawValue: "timestampInUpdate")
    /// A file value without `url`: ends a server whose LiveQuery watches the class.
    public static let fileWithoutURL = Kind(rawValue: "fileWithoutURL")
    /// A pointer without `objectId`: ends a server whose LiveQuery watches the class.
    public static let pointerWithoutObjectId = Kind(rawValue: "pointerWithoutObjectId")
    /// A body sent as `application/x-www-form-urlencoded`: its whole text is taken for a field's name.
    public static let formContentType = Kind(rawValue: "formContentType")
    /// A transaction with a path that has no route: leaks a database connection each time.
    public static let unroutableInTransaction = Kind(rawValue: "unroutableInTransaction")
    /// A transaction that brings a class a new field: the server waits for itself, for ever.
    public static let newFieldInTransaction = Kind(rawValue: "newFieldInTransaction")
    /// A query string in a batch path: taken for a part of the class name.
    public static let queryInBatchPath = Kind(rawValue: "queryInBatchPath")
    /// Two operations on one row in one batch: their order is not defined.
    public static let rowTwiceInBatch = Kind(rawValue: "rowTwiceInBatch")
  }

  /// The kind of harm.
  public var kind: Kind
  /// Method and path of the request that did it.
  public var request: String
  /// The finding, in a sentence.
  public var message: String
}

extension LoopbackViolation: CustomStringConvertible {
  /// The request and the sentence.
  public var description: String { "\(request): \(message)" }
}
