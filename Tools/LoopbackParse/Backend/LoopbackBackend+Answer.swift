// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

extension LoopbackBackend {
  /// Answers one request, as a real server would: every refusal is an answer too.
  ///
  /// - Parameter request: the request.
  /// - Returns: status, headers and body. Time passes only by the configuration's clock.
  public mutating func answer(_ request: LoopbackRequest) -> LoopbackResponse {
    var response: LoopbackResponse
    do throws(Refusal) {
      response = try respond(to: request).response
    } catch {
      response = error.answer.response
    }
    response.headers["Access-Control-Allow-Origin"] = "*"
    if let skew = configuration.dateHeaderSkew {
      let moment = Instant(milliseconds: now.milliseconds + Int64(skew * 1000))
      response.headers["Date"] = moment.httpText
    }
    return response
  }

  /// The checks in the order a server makes them: what is wrong with a request in two ways is
  /// answered for the first.
  private mutating func respond(to request: LoopbackRequest) throws(Refusal) -> Answer {
    guard let path = pathBelowMount(request.path) else {
      throw .noRoute(method: request.method, path: request.path)
    }
    if request.method == "OPTIONS" { return .text(200, "OK") }
    if path.hasPrefix("/files/") { return try answerFile(path, request) }
    if path == "/health" { return Answer(json: ["status": "ok"]) }
    guard request.body.count <= configuration.maxUploadSize else {
      throw .http(413, "request entity too large")
    }
    var body = try readBody(request)
    let method = takeMethod(request.method, &body)
    let stamp = request.receivedAt.map(Instant.init) ?? now
    var credentials = try Credentials(request.headers, &body, configuration)
    if path == "/login" { credentials.sessionToken = nil }
    let caller = try caller(of: credentials, reading: method + path, at: stamp)
    guard let route = Route(method, path) else {
      throw .noRoute(method: method, path: request.path)
    }
    // The real server looks at the end of the address, and trips.
    if route == .batch, !request.target.hasSuffix("/batch") { throw .bare }
    let call = Call(
      method: method, path: path, body: body, query: Self.parameters(of: request.target),
      caller: caller, stamp: stamp)
    return try perform(route, call)
  }

  private func pathBelowMount(_ path: String) -> String? {
    guard path.hasPrefix(configuration.mountPath + "/") else { return nil }
    return String(path.dropFirst(configuration.mountPath.count))
  }

  /// A body is JSON whatever type it says it has, except a form's, which another reader takes first.
  private mutating func readBody(_ request: LoopbackRequest) throws(Refusal) -> LoopbackValue {
    let type = request.headers["Content-Type"] ?? ""
    if type.lowercased().hasPrefix("application/x-www-form-urlencoded"), !request.body.isEmpty {
      report(.formContentType, request, "The body has the content type of a form, not of JSON.")
      return .object(Self.parameters(of: "?" + String(decoding: request.body, as: UTF8.self)))
    }
    guard !request.body.isEmpty else { return [:] }
    do throws(JSONReadError) {
      let value = try JSONReader.value(of: request.body)
      switch value {
      case .object: return value
      case .array: return [:]
      case .null, .bool, .number, .string:
        throw JSONReadError(reason: "Unexpected token", position: 0)
      }
    } catch {
      throw .http(400, error.sentence)
    }
  }

  /// A POST with `_method` runs as that method.
  private func takeMethod(_ method: String, _ body: inout LoopbackValue) -> String {
    guard method == "POST", case .object(var members) = body,
      let override = members.removeValue(forKey: "_method")
    else { return method }
    body = .object(members)
    return override.string?.uppercased() ?? method
  }

  /// The parameters of a URL; each value is JSON if it can be read so, else a string.
  static func parameters(of target: String) -> [String: LoopbackValue] {
    guard let mark = target.firstIndex(of: "?") else { return [:] }
    var parameters: [String: LoopbackValue] = [:]
    for pair in target[target.index(after: mark)...].split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let text = halves.map { half in
        half.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String(half)
      }
      let value = text.count > 1 ? text[1] : ""
      parameters[text[0]] = (try? JSONReader.value(of: Array(value.utf8))) ?? .string(value)
    }
    return parameters
  }

  mutating func report(
    _ kind: LoopbackViolation.Kind, _ request: String, _ message: String
  ) {
    violations.append(LoopbackViolation(kind: kind, request: request, message: message))
  }

  private mutating func report(
    _ kind: LoopbackViolation.Kind, _ request: LoopbackRequest, _ message: String
  ) {
    report(kind, request.description, message)
  }
}
