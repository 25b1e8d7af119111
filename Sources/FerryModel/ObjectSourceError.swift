// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why the objects of another library cannot be read.
///
/// The message says what happened, what became of the data, and what to do next.
public struct ObjectSourceError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such file, or it cannot be read.
    public static let notAccessible = Code(rawValue: "source-not-accessible")
    /// The file is of another kind.
    public static let otherKind = Code(rawValue: "source-of-other-kind")
    /// The file is damaged, or ends too early.
    public static let damaged = Code(rawValue: "source-damaged")
    /// Another program writes to the file.
    public static let busy = Code(rawValue: "source-busy")
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
