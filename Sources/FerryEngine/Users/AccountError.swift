// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryParse

/// Why a sign-up, a log-in or another request of `ParseAccounts` did not succeed.
///
/// The message says what happened, what became of the account, and what to do next. It contains no password and no
/// token.
///
/// ```swift
/// catch let error as AccountError where error.code == .wrongPassword {
///   // There is no such user, or the password is another one.
/// }
/// ```
public struct AccountError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// There is no such user, or the password is another one.
    public static let wrongPassword = Code(rawValue: "wrong-password")
    /// Another user has the name.
    public static let usernameTaken = Code(rawValue: "username-taken")
    /// Another user has the e-mail address.
    public static let emailTaken = Code(rawValue: "email-taken")
    /// The name, the password, the e-mail address or an id is missing, or the server does not take it.
    public static let invalidInput = Code(rawValue: "invalid-input")
    /// The server wants the user to confirm the e-mail address before a log-in.
    public static let emailNotVerified = Code(rawValue: "email-not-verified")
    /// Another user is linked to the account of the third party.
    public static let alreadyLinked = Code(rawValue: "already-linked")
    /// Another user is logged in on this device.
    public static let otherUser = Code(rawValue: "other-user")
    /// The credentials on this device are those of another server.
    public static let otherServer = Code(rawValue: "other-server")
    /// Nobody is logged in on this device.
    public static let nobody = Code(rawValue: "nobody")
    /// The session has ended; the user has to log in again.
    public static let sessionEnded = Code(rawValue: "session-ended")
    /// The server refused the request for another reason.
    public static let refused = Code(rawValue: "refused")
    /// The server may have carried the request out, and no answer says so.
    public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
    /// The server was not reached, or asks for another attempt later.
    public static let tryAgain = Code(rawValue: "try-again")
    /// The address or a key is wrong, or the server is no Parse Server.
    public static let configuration = Code(rawValue: "configuration")
    /// The credentials on this device cannot be read or kept.
    public static let credentials = Code(rawValue: "credentials")
    /// The user has unsent changes, and the app wants no log-out with such.
    public static let unsent = Code(rawValue: "unsent")
    /// The user's store cannot be read or written.
    public static let localStorage = Code(rawValue: "local-storage")
    /// The task was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, what became of the account, and what to do next.
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

extension AccountError: TellableError {
  package var mayPass: Bool { code == .tryAgain }
}
