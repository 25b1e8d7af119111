// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension LoopbackBackend {
  /// Answers one request, as a real server would: every refusal is an answer too.
  ///
  /// - Parameter request: the request.
  /// - Returns: status, headers and body. Time passes only by the configuration's clock.
  public mutating func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    guard request.headSize <= Self.headLimit else {
      return LoopbackResponse(status: 431, headers: ["Connection": "close"])
    }
    var headers: LoopbackHeaders = [
      "Access-Control-Allow-Origin": "*", "X-Powered-By": "Express",
    ]
    var response: LoopbackResponse
    do throws(Refusal) {
      response = try respond(to: request, &headers).response
    } catch {
      response = error.answer.response
    }
    for (name, value) in headers.pairs { response.headers[name] = value }
    if let skew = configuration.dateHeaderSkew {
      let moment = Instant(milliseconds: now.milliseconds + Int64(skew * 1000))
      response.headers["Date"] = moment.httpText
    }
    EntityTag.settle(&response, for: request)
    return response
  }

  /// The most bytes of request line and headers together that Node takes.
  private static let headLimit = 16 * 1024

  /// The checks in the order a server makes them: what is wrong with a request in two ways is
  /// answered for the first.
  private mutating func respond(
    to request: LoopbackRequest, _ headers: inout LoopbackHeaders
  ) throws(Refusal) -> Answer {
    if let refusal = Self.upgrade(request) { return refusal }
    guard let path = pathBelowMount(request.path) else {
      throw .noRoute(method: request.method, path: request.path)
    }
    if request.method == "OPTIONS" {
      for (name, value) in Self.crossOriginHeaders.pairs { headers[name] = value }
      return .text(200, "OK")
    }
    let stamp = request.receivedAt.map(Instant.init) ?? now
    if Route.isFile(path) { return try answerFile(path, request) }
    if path == "/health" { return Answer(json: ["status": "ok"]) }
    var body = try readBody(request)
    let method = takeMethod(request.method, &body)
    var credentials = try Credentials(request.headers, &body, configuration)
    try countRequest(method, path, credentials, at: stamp, &headers)
    if path == "/login" { credentials.sessionToken = nil }
    let caller = try caller(of: credentials, reading: method + path, at: stamp)
    if let broken = Route.brokenPart(of: path) {
      throw .http(400, "Failed to decode param '\(broken)'")
    }
    guard let route = Route(method == "HEAD" ? "GET" : method, path) else {
      throw .noRoute(method: method, path: request.path)
    }
    try takeRequestId(request.headers["X-Parse-Request-Id"], route, path)
    // The real server looks at the end of the address, and trips.
    if route == .batch, !request.target.hasSuffix("/batch") { throw .bare }
    let call = Call(
      method: method, path: path, body: body, texts: Self.texts(of: request.query),
      caller: caller, stamp: stamp)
    return try perform(route, call)
  }

  private func pathBelowMount(_ path: String) -> String? {
    guard path.hasPrefix(configuration.mountPath + "/") else { return nil }
    return String(path.dropFirst(configuration.mountPath.count))
  }

  /// LiveQuery listens on the same port, and takes every wish for another protocol for its own.
  private static func upgrade(_ request: LoopbackRequest) -> Answer? {
    guard let wish = request.headers["Upgrade"], !wish.isEmpty,
      request.headers["Connection"]?.lowercased().contains("upgrade") ?? false
    else { return nil }
    let answer = request.method == "GET" ? "Invalid Upgrade header" : "Invalid HTTP method"
    return .bytes(
      Array(answer.utf8), status: request.method == "GET" ? 400 : 405, contentType: "text/html")
  }

  private static let crossOriginHeaders: LoopbackHeaders = [
    "Access-Control-Allow-Methods": "GET,PUT,POST,DELETE,OPTIONS",
    "Access-Control-Allow-Headers": "X-Parse-Master-Key, X-Parse-REST-API-Key, "
      + "X-Parse-Javascript-Key, X-Parse-Application-Id, X-Parse-Client-Version, "
      + "X-Parse-Session-Token, X-Requested-With, X-Parse-Revocable-Session, "
      + "X-Parse-Request-Id, Content-Type, Pragma, Cache-Control",
    "Access-Control-Expose-Headers": "X-Parse-Job-Status-Id, X-Parse-Push-Status-Id",
  ]

  /// A POST with `_method` runs as that method.
  private func takeMethod(_ method: String, _ body: inout LoopbackValue) -> String {
    guard method == "POST", case .object(var members) = body,
      let override = members.removeValue(forKey: "_method")
    else { return method }
    body = .object(members)
    guard let name = override.string, !name.isEmpty else { return method }
    return name.uppercased()
  }

  /// The pairs of a query or a form; a name that comes twice has an array.
  static func texts(of query: String) -> [String: LoopbackValue] {
    var texts: [String: LoopbackValue] = [:]
    for pair in query.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let text = halves.map { half in
        half.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String(half)
      }
      let value = LoopbackValue.string(text.count > 1 ? text[1] : "")
      switch texts[text[0]] {
      case nil: texts[text[0]] = value
      case .array(let values): texts[text[0]] = .array(values + [value])
      case .some(let first): texts[text[0]] = [first, value]
      }
    }
    return texts
  }

  mutating func report(
    _ kind: LoopbackViolation.Kind, _ request: String, _ message: String
  ) {
    violations.append(LoopbackViolation(kind: kind, request: request, message: message))
  }

}
