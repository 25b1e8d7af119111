// Ferry: offline-first sync for Parse Server. MIT licence.

/// An answer of a backend, as it would go out over HTTP.
public struct LoopbackResponse: Sendable, Hashable {
  /// The HTTP status.
  public var status: Int
  /// The headers.
  public var headers: LoopbackHeaders
  /// The body's bytes.
  public var body: [UInt8]

  /// Makes an answer.
  ///
  /// - Parameters:
  ///   - status: the HTTP status.
  ///   - headers: the headers.
  ///   - body: the body's bytes.
  public init(status: Int, headers: LoopbackHeaders = [:], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Makes an answer with a JSON body and the content type that belongs to it.
  ///
  /// - Parameters:
  ///   - status: the HTTP status.
  ///   - headers: further headers.
  ///   - json: the body.
  public init(status: Int, headers: LoopbackHeaders = [:], json: LoopbackValue) {
    self.init(status: status, headers: headers, body: JSONWriter.bytes(of: json))
    self.headers["Content-Type"] = "application/json; charset=utf-8"
  }

  /// The body as JSON; nil if it is no JSON.
  public var json: LoopbackValue? { try? JSONReader.value(of: body) }

  /// The body as text.
  public var text: String { String(decoding: body, as: UTF8.self) }
}
