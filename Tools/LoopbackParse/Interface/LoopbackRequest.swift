// Ferry: offline-first sync for Parse Server. MIT licence.

public import struct Foundation.Date

/// A request to a backend, as it would arrive over HTTP.
///
/// ```swift
/// let request = LoopbackRequest(
///   "POST", "/parse/classes/Game",
///   headers: ["X-Parse-Application-Id": "app1"],
///   json: ["title": "Semi-final"])
/// ```
public struct LoopbackRequest: Sendable {
  /// The method, in upper case as HTTP has it.
  public var method: String
  /// The path with its query, percent-encoded, such as `/parse/classes/Game?limit=1`.
  public var target: String
  /// The headers.
  public var headers: LoopbackHeaders
  /// The body's bytes; empty when there is none.
  public var body: [UInt8]
  /// When the request reached the server; nil takes the backend's clock.
  ///
  /// Rows written by the request are stamped with this moment, as a Parse Server stamps them before
  /// its triggers run. A request answered later than others that came after it therefore shows how
  /// rows become visible late.
  public var receivedAt: Date?

  /// Makes a request with a body of bytes.
  ///
  /// - Parameters:
  ///   - method: the method, in upper case.
  ///   - target: path and query, percent-encoded.
  ///   - headers: the headers.
  ///   - body: the body; empty for none.
  ///   - receivedAt: when it reached the server; nil takes the backend's clock.
  public init(
    _ method: String, _ target: String, headers: LoopbackHeaders = [:], body: [UInt8] = [],
    receivedAt: Date? = nil
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.receivedAt = receivedAt
  }

  /// Makes a request with a JSON body and the content type that belongs to it.
  ///
  /// - Parameters:
  ///   - method: the method, in upper case.
  ///   - target: path and query, percent-encoded.
  ///   - headers: the headers; a content type among them is kept.
  ///   - json: the body.
  public init(
    _ method: String, _ target: String, headers: LoopbackHeaders = [:], json: LoopbackValue
  ) {
    self.init(method, target, headers: headers, body: JSONWriter.bytes(of: json))
    if headers["Content-Type"] == nil { self.headers["Content-Type"] = "application/json" }
  }

  /// The path without the query.
  public var path: String { String(target.prefix { $0 != "?" }) }

  /// The part of the target behind the question mark.
  var query: String {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) } ?? ""
  }

  /// The bytes of request line and headers as they would be on the wire.
  var headSize: Int {
    headers.pairs.reduce(method.utf8.count + target.utf8.count + 12) { size, header in
      size + header.name.utf8.count + header.value.utf8.count + 4
    }
  }

  /// The body as JSON; nil if it is empty or no JSON.
  public var json: LoopbackValue? { try? JSONReader.value(of: body) }
}

extension LoopbackRequest: CustomStringConvertible {
  /// Method and path; no header, body or query, since those may hold secrets.
  public var description: String { "\(method) \(path)" }
}
