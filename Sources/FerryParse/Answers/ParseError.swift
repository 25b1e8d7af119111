// Ferry: offline-first sync for Parse Server. MIT licence.

/// A Parse Server's refusal, or an answer that is none of a Parse Server's.
///
/// ```swift
/// catch let error as ParseError where error.code == .operationForbidden {
///   // The class's permissions do not allow it.
/// }
/// ```
public struct ParseError: Error, Hashable, Sendable {
  /// A number by which Parse Server says why it refused.
  ///
  /// Cloud Code may use any number of its own, so there is no end to them.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
  }

  /// The server's number; nil where it gave none, or a text of its database's.
  public var code: Code?
  /// The HTTP status of the answer, also that of a batch in which this stood.
  public var status: Int
  /// The server's own words, shortened; for people, never to decide by.
  public var serverText: String
  /// What it means for the request, and what can be done.
  package var meaning: Meaning

  package init(code: Code? = nil, status: Int, serverText: String = "", meaning: Meaning) {
    self.code = code
    self.status = status
    self.serverText = serverText
    self.meaning = meaning
  }

  /// Matches a thrown error by its code: `catch ParseError.Code.duplicateValue`.
  public static func ~= (code: Code, error: ParseError) -> Bool { error.code == code }
}

extension ParseError.Code {
  /// Matches any thrown error by its code.
  public static func ~= (code: ParseError.Code, error: any Error) -> Bool {
    (error as? ParseError)?.code == code
  }
}

extension ParseError {
  /// What a refusal means for the request that met it.
  package enum Meaning: Hashable, Sendable {
    /// Nothing was done; it may pass by itself. Bounded: it may also stay for ever.
    case retryLater(boundedAttempts: Bool)
    /// Nothing was done; too many requests.
    case rateLimited
    /// Nothing was done; nobody is logged in any more.
    case loginNeeded
    /// Nothing was done, and will not be however often it is asked.
    case refused
    /// A create met a value that has to be unique: perhaps the create itself, sent before.
    case duplicate
    /// Not there, or not to be read or changed by this user.
    case notFoundOrForbidden
    /// A write that may have been done or not: look.
    case outcomeUnknown
    /// Nothing was done; the request was too large.
    case tooLarge
    /// Nothing was done; the application id or a key is wrong, or not allowed from here.
    case unauthorized
    /// There is a server, but nothing of Parse's at this path.
    case wrongURL
    /// What answers is no Parse Server, or something stands between.
    case notParse
    /// Parse Server answered, but not what was asked.
    case malformed
  }
}
