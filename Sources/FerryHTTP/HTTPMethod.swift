// Ferry: offline-first sync for Parse Server. MIT licence.

/// A verb of HTTP, as it stands in the request line.
///
/// Ferry asks with these four. What a request does to the server is not read from its verb — a
/// query may be a `POST` — but from ``HTTPRequest/isWrite``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The verb's letters, in upper case.
  public let rawValue: String

  /// Makes a verb from its letters.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Asks for something.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Hands something over: a new object, a batch, or a query in a body.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Changes an object that exists.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Removes an object.
  public static let delete = HTTPMethod(rawValue: "DELETE")
}
