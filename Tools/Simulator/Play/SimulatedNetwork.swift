// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import Foundation
import LoopbackParse

/// The way from one device to the server: one request at a time, each with the fate that the world has for it.
final class SimulatedNetwork: HTTPTransport, @unchecked Sendable {
  /// The parts of the world that the network needs.
  struct Surroundings {
    var clock: SimulatedClock
    var server: SimulatedServer
    /// Says what becomes of a request at a moment.
    var reached: (Moment) -> Fate?
    /// A mistake that a test of the simulator has put in.
    var bug: SeededBug?
    /// Takes a request that arrives later.
    var delay: (_ request: LoopbackRequest, _ isRepeated: Bool) -> Void
  }

  private let surroundings: Surroundings
  private var isKilled = false
  private(set) var requestCount = 0
  /// All requests and answers, as one number.
  private(set) var trace = Trace()

  /// No run needs as many.
  static let mostRequests = 400

  /// The time of the device.
  private let now: () -> Timestamp

  init(_ surroundings: Surroundings, now: @escaping () -> Timestamp) {
    self.surroundings = surroundings
    self.now = now
  }

  func kill() { isKilled = true }
  func beginRun() { requestCount = 0 }

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var left = requests[...]
    while let request = left.popFirst() {
      left += try completed(request, exchange(request))
    }
  }

  private func exchange(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
    let clock = surroundings.clock
    clock.pass(milliseconds: Int64(request.delay / .milliseconds(1)) + 2)
    guard !isKilled else { return .failure(.cancelled(.notSent)) }
    requestCount += 1
    guard requestCount <= Self.mostRequests else {
      return .failure(
        HTTPError(.couldNotConnect, outcome: .notSent, message: "The run does not end."))
    }
    let summary = RequestSummary(request)
    let sent = LoopbackRequest(request, receivedAt: clock.date)
    trace.add(sent.target.utf8)
    trace.add(sent.body)
    let fate = surroundings.reached(.leaving(summary))
    guard !isKilled else { return .failure(.cancelled(.unknown)) }
    switch fate {
    case .isLost: return .failure(Self.lost)
    case .cannotConnect:
      return .failure(
        HTTPError(.couldNotConnect, outcome: .notSent, message: "Nobody listens there."))
    case .isDelayed:
      clock.pass(milliseconds: 60_000)
      surroundings.delay(sent, false)
      return .failure(
        HTTPError(.timeout, outcome: .unknown, message: "The answer did not come in time."))
    case .isAnswered(let status): return .success(Self.answer(status))
    case .arrivesTwice: surroundings.delay(sent, true)
    default: break
    }
    var arriving = LoopbackRequest(request)
    if let bug = surroundings.bug { arriving.body = bug.changed(arriving.body, now: now()) }
    var response = HTTPResponse(surroundings.server.answer(arriving))
    if let bug = surroundings.bug { response.body = Data(bug.changed(Array(response.body))) }
    trace.add(response.body)
    let answerFate = surroundings.reached(.answered(summary))
    guard !isKilled else { return .failure(.cancelled(.unknown)) }
    return change(response, answerFate)
  }

  /// The part of an answer that reaches the device.
  private func change(
    _ response: HTTPResponse, _ fate: Fate?
  ) -> Result<HTTPResponse, HTTPError> {
    var response = response
    switch fate {
    case .losesItsAnswer: return .failure(Self.lost)
    case .isDoneButAnswered(let status): return .success(Self.answer(status))
    case .isTruncated: response.body = response.body.prefix(response.body.count / 2)
    case .isSlow:
      surroundings.clock.pass(milliseconds: 30_000)
      response.duration += .seconds(30)
    default: break
    }
    return .success(response)
  }

  private static func answer(_ status: Int) -> HTTPResponse {
    let body =
      status == 429
      ? #"{"error":"Too many requests."}"# : #"{"code":1,"message":"Internal server error."}"#
    return HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
  }

  private static let lost = HTTPError(
    .connectionLost, outcome: .unknown, message: "The connection ended before the answer came.")
}

extension LoopbackRequest {
  fileprivate init(_ request: HTTPRequest, receivedAt: Date? = nil) {
    let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    self.init(
      request.method.rawValue, request.url.path(percentEncoded: true) + query,
      body: Array(request.body), receivedAt: receivedAt)
    for field in request.headers.fields { headers[field.name] = field.value }
  }
}

extension HTTPResponse {
  fileprivate init(_ response: LoopbackResponse) {
    self.init(status: response.status, body: Data(response.body), bytesDown: response.body.count)
    for (name, value) in response.headers.pairs { headers.add(name: name, value: value) }
  }
}
