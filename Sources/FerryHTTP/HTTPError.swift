// Ferry: offline-first sync for Parse Server. MIT licence.

/// An exchange that did not bring a complete answer.
///
/// The message says what happened, what became of the request, and what to do. Decide by the code
/// and the outcome, never by the text.
///
/// ```swift
/// catch let error as HTTPError where error.outcome == .notSent {
///   // The server cannot have seen anything: sending again is safe.
/// }
/// ```
public struct HTTPError: Error, Sendable {
  /// What kind of failure it was; more kinds may come.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind in words joined by hyphens.
    public let rawValue: String

    /// Makes a code from its words.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// What is known about the request's effect on the server.
  public enum Outcome: Hashable, Sendable {
    /// No byte of the request can have left: the server has done nothing.
    case notSent
    /// The request may have reached the server, which may or may not have carried it out.
    case unknown
    /// The server's answer shows that it did not carry the request out.
    case answered
  }

  /// The kind of failure.
  public var code: Code
  /// What is known about the request's effect.
  public var outcome: Outcome
  /// What happened, what became of the request, what to do.
  public var message: String
  /// The status of the answer, if one began.
  public var status: Int?
  /// The failure beneath, if there is one.
  public var cause: (any Error)?

  /// Makes an error, as a transport or a test does.
  public init(
    _ code: Code, outcome: Outcome, message: String, status: Int? = nil,
    cause: (any Error)? = nil
  ) {
    self.code = code
    self.outcome = outcome
    self.message = message
    self.status = status
    self.cause = cause
  }
}

extension HTTPError.Code {
  /// The server's name is not known to the network.
  public static let couldNotResolve = Self(rawValue: "could-not-resolve")
  /// Nothing accepts connections at the address.
  public static let couldNotConnect = Self(rawValue: "could-not-connect")
  /// A ceiling of time or the least speed was passed.
  public static let timeout = Self(rawValue: "timeout")
  /// The connection ended before the answer did.
  public static let connectionLost = Self(rawValue: "connection-lost")
  /// The server could not prove who it is, or no safe encryption could be agreed on.
  public static let tls = Self(rawValue: "tls")
  /// What came is not HTTP as it should be.
  public static let protocolError = Self(rawValue: "protocol-error")
  /// The body is larger than the ceiling.
  public static let tooLarge = Self(rawValue: "too-large")
  /// The header lines are larger than the ceiling.
  public static let tooManyHeaders = Self(rawValue: "too-many-headers")
  /// The server named another address; Ferry follows none.
  public static let redirectRefused = Self(rawValue: "redirect-refused")
  /// The address would send secrets unencrypted over a network.
  public static let cleartextRefused = Self(rawValue: "cleartext-refused")
  /// The address is not one a request can be sent to.
  public static let invalidURL = Self(rawValue: "invalid-url")
  /// A header field holds a character that cannot be sent.
  public static let invalidHeader = Self(rawValue: "invalid-header")
  /// The caller's cancellation ended it.
  public static let cancelled = Self(rawValue: "cancelled")
  /// The local machine or library failed: memory, sockets, an option that is missing.
  public static let localFailure = Self(rawValue: "local-failure")
}

extension HTTPError: CustomStringConvertible {
  /// Shows the message.
  public var description: String { message }
}

extension HTTPError {
  /// The error of a request that a cancellation ended.
  package static func cancelled(_ outcome: Outcome) -> HTTPError {
    let effect =
      switch outcome {
      case .notSent, .answered: "It was not sent."
      case .unknown: "The server may have carried it out."
      }
    return HTTPError(
      .cancelled, outcome: outcome,
      message: "The request was cancelled. \(effect) Start again to continue.")
  }
}
