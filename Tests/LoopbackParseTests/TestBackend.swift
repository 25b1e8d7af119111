// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

import struct Foundation.Date

/// A backend without chance: a clock that moves a millisecond at each reading, and a fixed seed.
struct TestBackend {
  var backend: LoopbackBackend
  var headers: LoopbackHeaders = ["X-Parse-Application-Id": "app1"]

  init(_ configure: (inout LoopbackConfiguration) -> Void = { _ in }) {
    var configuration = LoopbackConfiguration()
    configuration.seed = 7
    let clock = TestClock()
    configuration.now = { clock.next() }
    configure(&configuration)
    backend = LoopbackBackend(configuration)
  }

  var asMaster: LoopbackHeaders { with(["X-Parse-Master-Key": "mk"]) }

  func with(_ more: LoopbackHeaders) -> LoopbackHeaders {
    var all = headers
    for (name, value) in more.pairs { all[name] = value }
    return all
  }

  /// Sends a request below the mount path.
  @discardableResult
  mutating func send(
    _ method: String, _ path: String, _ body: LoopbackValue? = nil,
    _ headers: LoopbackHeaders? = nil
  ) -> LoopbackResponse {
    let target = "/parse" + path
    guard let body else {
      return backend.answer(LoopbackRequest(method, target, headers: headers ?? self.headers))
    }
    return backend.answer(
      LoopbackRequest(method, target, headers: headers ?? self.headers, json: body))
  }

  /// The object ids of a query's results, in order.
  mutating func ids(_ className: String, _ query: LoopbackValue) -> [String] {
    var body = query.object ?? [:]
    body["_method"] = "GET"
    let answer = send("POST", "/classes/\(className)", .object(body))
    return (answer.json?["results"]?.array ?? []).compactMap { $0["objectId"]?.string }
  }
}
