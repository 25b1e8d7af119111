// Ferry: offline-first sync for Parse Server. MIT licence.

/// An HTTP method, as it appears in the request line.
///
/// Ferry uses these five. The method does not say whether a request changes the server, because a
/// query may be a `POST`: see ``HTTPRequest/isWrite``.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
  /// The method's name in upper case.
  public let rawValue: String

  /// Makes a method from its name.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// Reads.
  public static let get = HTTPMethod(rawValue: "GET")
  /// Reads the status and the header fields that `get` would bring, without the body.
  public static let head = HTTPMethod(rawValue: "HEAD")
  /// Sends a new object, a batch, or a query in a body.
  public static let post = HTTPMethod(rawValue: "POST")
  /// Changes an object that exists.
  public static let put = HTTPMethod(rawValue: "PUT")
  /// Removes an object.
  public static let delete = HTTPMethod(rawValue: "DELETE")
}
