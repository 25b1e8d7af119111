// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// One request, as a value.
///
/// ```swift
/// let ask = HTTPRequest(.get, url, headers: ["X-Parse-Application-Id": "games"])
/// let create = HTTPRequest(.post, url, headers: headers, body: json, isWrite: true)
/// ```
public struct HTTPRequest: Sendable {
  /// The verb.
  public var method: HTTPMethod
  /// Where to: `https`, or `http` where the transport allows it.
  public var url: URL
  /// The header fields; a transport adds `Content-Type: application/json` if none is given.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: Data
  /// Whether the server would be changed again if it got the request twice.
  ///
  /// What reads may be repeated by anything on the way. A write is sent at most once, and repeated
  /// only when no byte of it can have left, or when the server's answer shows it was not run. A
  /// query that travels as a `POST` is a read: set this to false.
  public var isWrite: Bool
  /// A number of the caller's choice, to recognise the answer by.
  public var tag: Int
  /// Time that must pass before it is sent, counted from when the transport takes it.
  public var delay: Duration
  /// The ceilings of this exchange.
  public var limits: HTTPLimits

  /// Makes a request; without `isWrite` every verb but `GET` counts as a write.
  public init(
    _ method: HTTPMethod,
    _ url: URL,
    headers: HTTPHeaders = HTTPHeaders(),
    body: Data = Data(),
    isWrite: Bool? = nil,
    tag: Int = 0,
    delay: Duration = .zero,
    limits: HTTPLimits = HTTPLimits()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.isWrite = isWrite ?? (method != .get)
    self.tag = tag
    self.delay = delay
    self.limits = limits
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows verb, server, path and size; nothing of query, headers or body, which may hold secrets.
  public var description: String {
    "\(method.rawValue) \(url.server)\(url.path(percentEncoded: true)) (\(body.count) bytes)"
  }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows nothing inside.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
  /// Scheme, host and port, and nothing else that a URL may hold.
  package var server: String {
    let name = host(percentEncoded: false) ?? "?"
    let bracketed = name.contains(":") ? "[\(name)]" : name
    return "\(scheme ?? "?")://\(bracketed)\(port.map { ":\($0)" } ?? "")"
  }
}
