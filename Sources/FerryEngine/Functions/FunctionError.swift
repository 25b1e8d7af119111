// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryParse

/// Why a call of `CloudFunctions` did not give a result.
///
/// The message says what happened, whether the function ran, and what to do next. It contains no token and no key.
///
/// ```swift
/// catch let error as FunctionError where error.refusal?.code == ParseError.Code(rawValue: 777) {
///   // The function threw `new Parse.Error(777, …)`.
/// }
/// ```
public struct FunctionError: Error, Sendable, CustomStringConvertible {
  /// The kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// A stable identifier.
    public var rawValue: String
    /// Wraps an identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The function, or its validator, refused; `refusal` has its number and its words.
    public static let refused = Code(rawValue: "refused")
    /// The server has no function of this name.
    public static let noFunction = Code(rawValue: "no-function")
    /// The function may have run, and no answer says so.
    public static let outcomeUnknown = Code(rawValue: "outcome-unknown")
    /// The function ran, and its result does not fit the type that was asked for.
    public static let unexpectedResult = Code(rawValue: "unexpected-result")
    /// The name or a parameter cannot be sent; nothing was sent.
    public static let invalidParameters = Code(rawValue: "invalid-parameters")
    /// The server was not reached, or takes no calls for the moment; the function did not run.
    public static let tryAgain = Code(rawValue: "try-again")
    /// The server does not accept the session, or wants one.
    public static let loginNeeded = Code(rawValue: "login-needed")
    /// The app gave no session token; nothing was sent.
    public static let sessionUnavailable = Code(rawValue: "session-unavailable")
    /// The address or a key is wrong, or the server is no Parse Server.
    public static let configuration = Code(rawValue: "configuration")
    /// The task was cancelled before anything was sent.
    public static let cancelled = Code(rawValue: "cancelled")
  }

  /// The kind of failure.
  public var code: Code
  /// What happened, whether the function ran, and what to do next.
  public var message: String
  /// The server's refusal; nil if the server did not answer with one.
  public var refusal: ParseError?
  /// The underlying error, if there is one.
  public var cause: (any Error)?

  /// An error with a message.
  public init(
    _ code: Code, _ message: String, refusal: ParseError? = nil, cause: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.refusal = refusal
    self.cause = cause
  }

  /// The message.
  public var description: String { message }
}
