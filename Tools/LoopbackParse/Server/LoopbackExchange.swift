// Ferry: offline-first sync for Parse Server. MIT licence.

/// A request that a server received, with how it was answered.
public struct LoopbackExchange: Sendable, CustomStringConvertible {
  /// The request; headers that carry keys or tokens are left out.
  public let request: LoopbackRequest
  /// The status of the answer; nil when none was sent.
  public let status: Int?
  /// The bytes in the body of the answer.
  public let responseSize: Int

  /// The headers whose values are nobody's business.
  private static let secrets = [
    "X-Parse-Master-Key", "X-Parse-Maintenance-Key", "X-Parse-REST-API-Key",
    "X-Parse-Javascript-Key", "X-Parse-Client-Key", "X-Parse-Windows-Key",
    "X-Parse-Session-Token", "Authorization", "Cookie",
  ]

  init(_ request: LoopbackRequest, status: Int?, responseSize: Int) {
    var request = request
    for name in Self.secrets { request.headers[name] = nil }
    self.request = request
    self.status = status
    self.responseSize = responseSize
  }

  /// Method, path and status.
  public var description: String {
    "\(request) → \(status.map(String.init) ?? "no answer")"
  }
}
