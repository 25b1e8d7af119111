// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why `SyncStores` cannot give a store; the data stays as it is.
public struct SyncStoresError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The store cannot be opened; the cause says why.
    public static let store = Code(rawValue: "store")
    /// The folder, or the file that says whose each store is, cannot be used.
    public static let folder = Code(rawValue: "folder")
    /// The user has a store already, so nobody's cannot become theirs.
    public static let userHasStore = Code(rawValue: "user-has-store")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the data, and what to do next.
  public var message: String
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// An error with a message.
  public init(_ code: Code, _ message: String, cause: (any Error)? = nil) {
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
