// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// One request, as a value.
///
/// ```swift
/// let ask = HTTPRequest(.get, url, headers: ["X-Parse-Application-Id": "games"])
/// let create = HTTPRequest(.post, url, headers: headers, body: json, isWrite: true)
/// ```
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The address: `https`, or `http` if the transport allows it.
  public var url: URL
  /// The header fields; a transport adds `Content-Type: application/json` if the type is missing.
  public var headers: HTTPHeaders
  /// The body; empty for none.
  public var body: Data
  /// Whether the request changes the server each time it arrives.
  ///
  /// Anything on the way may repeat a read. A write is sent at most once. It is repeated only if no
  /// byte of it left this device, or if the server's answer shows that the server did not carry it
  /// out. Set this to false for a query that travels as a `POST`.
  public var isWrite: Bool
  /// A number that the caller chooses to recognise the answer.
  public var tag: Int
  /// The time to wait before sending, counted from when the transport accepts the request.
  public var delay: Duration
  /// The limits of this exchange.
  public var limits: HTTPLimits
  /// Takes the body of the answer while it arrives; nil for an answer that is held in memory.
  ///
  /// With a receiver, `HTTPLimits.bodyBytes` holds for a body that the receiver does not take, and such a body
  /// may have a mebibyte at most. A redirect is an answer then, whose `Location` the caller judges. No
  /// compression is asked for, so that the bytes are those of the file. A transport that knows no receivers gives the
  /// whole body in the response.
  public var receiver: (any HTTPBodyReceiver)?
  /// Gives the body while it is sent; nil for the one in `body`, which is empty otherwise.
  ///
  /// A transport that knows no sources must refuse such a request. Of `HTTPBodySource.wholeBody()` it can make one.
  public var source: (any HTTPBodySource)?

  /// Makes a request; by default every method but `GET` and `HEAD` counts as a write.
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
    self.isWrite = isWrite ?? (method != .get && method != .head)
    self.tag = tag
    self.delay = delay
    self.limits = limits
  }

  /// The number of bytes of the body, wherever they come from.
  package var bodyCount: Int { source?.byteCount ?? body.count }

  /// The most bytes of the answer that memory holds.
  package var heldBytes: Int { receiver == nil ? limits.bodyBytes : min(limits.bodyBytes, 1 << 20) }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows method, server, path and size, but no query, headers or body, which may hold secrets.
  public var description: String {
    "\(method.rawValue) \(url.server)\(url.path(percentEncoded: true)) (\(bodyCount) bytes)"
  }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows no content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
  /// Scheme, host and port, without the other parts of the URL.
  package var server: String {
    let name = host(percentEncoded: false) ?? "?"
    let bracketed = name.contains(":") ? "[\(name)]" : name
    return "\(scheme ?? "?")://\(bracketed)\(port.map { ":\($0)" } ?? "")"
  }
}
