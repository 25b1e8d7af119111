// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
public import FerryPlanning

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
  public var meaning: RefusalMeaning
  /// How long the server asked to wait before the next request; nil if it did not say.
  public var retryAfter: Duration?
  /// Whether the request was a write; the words of a refusal depend on it.
  package var isOfWrite: Bool
  /// The fields of an edit that hold bytes; the words of a refusal depend on them.
  package var bytesFields: [String] = []

  package init(
    code: Code? = nil, status: Int, serverText: String = "", meaning: RefusalMeaning,
    isOfWrite: Bool = false
  ) {
    self.code = code
    self.status = status
    self.serverText = serverText
    self.meaning = meaning
    self.isOfWrite = isOfWrite
  }

  /// The same refusal, with what is known of the write that the server refused.
  package func answering(_ operation: WriteOperation) -> ParseError {
    guard case .update(_, _, let body) = operation else { return self }
    var error = self
    error.bytesFields = body.filter { $0.value.isBytes }.keys.sorted()
    return error
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

extension Value {
  /// Whether the value is bytes, in a field or as they are sent.
  fileprivate var isBytes: Bool {
    switch self {
    case .bytes: true
    case .object(let members): members["__type"] == "Bytes"
    default: false
    }
  }
}
