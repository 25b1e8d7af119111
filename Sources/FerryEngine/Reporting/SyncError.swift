// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a whole run could not continue.
///
/// Failures of single records or classes are in the report instead. The message says what happened,
/// what became of the data, and what to do next.
public struct SyncError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable, Codable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The server could not be reached.
    public static let unreachable = Code(rawValue: "unreachable")
    /// The server answered too slowly, or asked to try again later.
    public static let tryAgain = Code(rawValue: "try-again")
    /// The session has ended, or each class needs a login.
    public static let loginNeeded = Code(rawValue: "login-needed")
    /// The app gave no session token in time, or could not.
    public static let sessionUnavailable = Code(rawValue: "session-unavailable")
    /// The server does not accept the application id or key.
    public static let unauthorized = Code(rawValue: "unauthorized")
    /// The server at this address is not a Parse Server.
    public static let notParseServer = Code(rawValue: "not-parse-server")
    /// The URL leads past the server's mount path.
    public static let wrongURL = Code(rawValue: "wrong-url")
    /// The server's data cannot be read.
    public static let malformedData = Code(rawValue: "malformed-data")
    /// Another process or coordinator syncs this store.
    public static let busy = Code(rawValue: "busy")
    /// The store or the staging folder cannot be read or written.
    public static let localStorage = Code(rawValue: "local-storage")
    /// The disk of the store or of the staging folder is full.
    public static let diskFull = Code(rawValue: "disk-full")
    /// The store holds the data of another server.
    public static let otherServer = Code(rawValue: "other-server")
    /// The store holds the data of another user.
    public static let otherUser = Code(rawValue: "other-user")
    /// The schema, the address, a key or an option cannot be used.
    public static let configuration = Code(rawValue: "configuration")
    /// The server refuses the query of a fetch, or this user may not ask it.
    public static let queryRefused = Code(rawValue: "query-refused")
    /// The run was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The task that waited for a run was cancelled; the run goes on.
    public static let waitCancelled = Code(rawValue: "wait-cancelled")
    /// The engine found an internal rule violated.
    public static let internalError = Code(rawValue: "internal")

    /// Whether each sync fails like this until a person acts, such as by a login or another setting.
    ///
    /// A coordinator that runs by itself pauses then, until `wakeUp(classes:)`.
    public var needsPerson: Bool {
      [.loginNeeded, .otherServer, .otherUser, .configuration].contains(self)
    }
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the data, and what to do next.
  public var message: String
  /// The adoption of the store with which the same run would go on; nil if there is none.
  public var adoption: StoreAdoption?
  /// How long the server was silent, if that ended the run; `SyncOptions.timeout` sets it.
  public var silence: Duration?
  /// How long the server asked the app to wait before the next sync; nil if it did not say.
  public var retryAfter: Duration?
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// An error with a message.
  public init(
    _ code: Code, _ message: String, adoption: StoreAdoption? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.adoption = adoption
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
