// Ferry: offline-first sync for Parse Server. MIT licence.

public import Foundation

/// A complete answer of a server, with any status.
public struct HTTPResponse: Sendable {
  /// The status code, for example 200.
  public var status: Int
  /// The header fields of the final answer.
  public var headers: HTTPHeaders
  /// The body, unpacked.
  public var body: Data
  /// The duration of the exchange, from its start to the last byte.
  public var duration: Duration
  /// The number of bytes sent to the server, header lines included.
  public var bytesUp: Int
  /// The number of bytes received from the server, header lines included, before unpacking.
  public var bytesDown: Int

  /// Makes an answer, as a transport or a test does.
  public init(
    status: Int,
    headers: HTTPHeaders = HTTPHeaders(),
    body: Data = Data(),
    duration: Duration = .zero,
    bytesUp: Int = 0,
    bytesDown: Int = 0
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.duration = duration
    self.bytesUp = bytesUp
    self.bytesDown = bytesDown
  }

  /// The server's time in whole seconds; nil if the answer has no readable `Date`.
  public var date: Date? {
    headers["Date"].flatMap(HTTPDate.date(from:))
  }
}

extension HTTPResponse: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Shows status, masked headers and size, but not the body.
  public var description: String { "\(status), \(headers) (\(body.count) bytes)" }

  /// Shows the same as the description.
  public var debugDescription: String { description }

  /// Shows no content.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
