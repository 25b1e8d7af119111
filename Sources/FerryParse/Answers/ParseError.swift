// Ferry: offline-first sync for Parse Server. MIT licence.

/// A refusal by a Parse Server, or an answer that does not come from one.
///
/// ```swift
/// catch let error as ParseError where error.code == .operationForbidden {
///   // The class's permissions do not allow it.
/// }
/// ```
public struct ParseError: Error, Hashable, Sendable {
  /// A number with which Parse Server gives the reason for a refusal.
  ///
  /// Cloud Code may use any other number.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int

    /// Makes a code from its number.
    public init(rawValue: Int) { self.rawValue = rawValue }
  }

  /// The server's number; nil if it gave none, or a text of its database.
  public var code: Code?
  /// The HTTP status of the answer, or of the batch that contained the refusal.
  public var status: Int
  /// The server's own text, shortened; for people, never for decisions of a program.
  public var serverText: String
  /// The meaning of the refusal for its request.
  public var meaning: Meaning

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
  /// The meaning of a refusal for its request.
  public enum Meaning: Hashable, Sendable {
    /// The server did nothing, and a later attempt may succeed. Bounded: it may also never succeed.
    case retryLater(boundedAttempts: Bool)
    /// The server did nothing, because there were too many requests.
    case rateLimited
    /// The server did nothing, because nobody is logged in any more.
    case loginNeeded
    /// The server did nothing, and will refuse every further attempt.
    case refused
    /// A unique value exists already, perhaps because an earlier attempt of this create arrived.
    case duplicate
    /// The object does not exist, or this user may not read or change it.
    case notFoundOrForbidden
    /// The server may have carried out this write; Ferry must look it up.
    case outcomeUnknown
    /// The server did nothing, because the request was too large.
    case tooLarge
    /// The server did nothing, because the application id or a key is wrong or not allowed here.
    case unauthorized
    /// There is a server, but no Parse Server at this path.
    case wrongURL
    /// The answer does not come from a Parse Server; a proxy may have sent it.
    case notParse
    /// Parse Server answered, but the answer does not fit the request.
    case malformed
  }
}
