// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a file of credentials cannot be read or written; it contains no secret.
public struct CredentialFileError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The file cannot be read.
    public static let unreadable = Code(rawValue: "unreadable")
    /// The file cannot be written; the earlier one stays.
    public static let unwritable = Code(rawValue: "unwritable")
    /// The file contains no credentials.
    public static let damaged = Code(rawValue: "damaged")
    /// Others than its owner can read the file.
    public static let exposed = Code(rawValue: "exposed")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the credentials, and what to do next.
  public var message: String

  /// An error with a message.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
