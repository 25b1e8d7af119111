// Ferry: offline-first sync for Parse Server. MIT licence.

/// An exchange without a complete answer.
///
/// The message says what happened, what became of the request, and what to do. Programs decide by
/// the code and the outcome, never by the text.
///
/// ```swift
/// catch let error as HTTPError where error.outcome == .notSent {
///   // The server cannot have seen anything: sending again is safe.
/// }
/// ```
public struct HTTPError: Error, Sendable {
  /// The kind of failure; more kinds may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind in words joined by hyphens.
    public let rawValue: String

    /// Makes a code from its words.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }
  }

  /// The request's effect on the server, as far as the transport knows it.
  public enum Outcome: Hashable, Sendable {
    /// No byte of the request left this device, so the server has done nothing.
    case notSent
    /// The request may have reached the server, and the server may have carried it out.
    case unknown
    /// The server's answer shows that the server did not carry the request out.
    case answered
  }

  /// The kind of failure.
  public var code: Code
  /// The request's effect, as far as the transport knows it.
  public var outcome: Outcome
  /// What happened, what became of the request, what to do.
  public var message: String
  /// How long the server was silent, if that ended the exchange.
  public var silence: Duration?
  /// The first sentence of the message, for texts that have their own advice; nil if it is the whole.
  package var happening: String?
  /// The status of the answer, if one began.
  public var status: Int?
  /// The underlying error, if there is one.
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
  /// The network does not know the server's name.
  public static let couldNotResolve = Self(rawValue: "could-not-resolve")
  /// Nothing accepts connections at the address.
  public static let couldNotConnect = Self(rawValue: "could-not-connect")
  /// The exchange exceeded a time limit, or fell below the minimum speed.
  public static let timeout = Self(rawValue: "timeout")
  /// The connection ended before the answer was complete.
  public static let connectionLost = Self(rawValue: "connection-lost")
  /// The server could not prove its identity, or no safe encryption was possible.
  public static let tls = Self(rawValue: "tls")
  /// The answer is not valid HTTP.
  public static let protocolError = Self(rawValue: "protocol-error")
  /// The body exceeds its limit.
  public static let tooLarge = Self(rawValue: "too-large")
  /// The header lines exceed their limit.
  public static let tooManyHeaders = Self(rawValue: "too-many-headers")
  /// The server redirects to another address; Ferry follows no redirects.
  public static let redirectRefused = Self(rawValue: "redirect-refused")
  /// The address would send secrets unencrypted over a network.
  public static let cleartextRefused = Self(rawValue: "cleartext-refused")
  /// A request cannot be sent to this address.
  public static let invalidURL = Self(rawValue: "invalid-url")
  /// A header field holds a character that cannot be sent.
  public static let invalidHeader = Self(rawValue: "invalid-header")
  /// The caller cancelled the request.
  public static let cancelled = Self(rawValue: "cancelled")
  /// This device or the library failed, for example for lack of memory or sockets.
  public static let localFailure = Self(rawValue: "local-failure")
}

extension HTTPError: CustomStringConvertible {
  /// Shows the message.
  public var description: String { message }
}

extension HTTPError {
  /// The error of a cancelled request.
  package static func cancelled(_ outcome: Outcome, isWrite: Bool = true) -> HTTPError {
    let effect =
      switch outcome {
      case .notSent, .answered: "It was not sent."
      case .unknown where isWrite: "The server may have carried it out."
      case .unknown: "It only read, so nothing was changed."
      }
    return HTTPError(
      .cancelled, outcome: outcome,
      message: "The request was cancelled. \(effect) Start again to continue.")
  }
}
