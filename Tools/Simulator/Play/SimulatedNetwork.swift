// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryScenarios
import Foundation
import LoopbackParse

/// The way from one device to the server: one request at a time, each with the fate that the world has for it.
final class SimulatedNetwork: SequentialTransport, @unchecked Sendable {
  /// The parts of the world that the network needs.
  struct Surroundings {
    /// The number of the device.
    var device: Int
    var clock: SimulatedClock
    var server: SimulatedServer
    /// Says what becomes of a request at a moment.
    var reached: (Moment) -> Fate?
    var chronicle: Chronicle
    /// A mistake that a test of the simulator has put in.
    var bug: SeededBug?
    var classes: ClassTable
    /// Takes a request that arrives later.
    var delay: (_ late: LateRequest, _ isRepeated: Bool) -> Void
  }

  private let surroundings: Surroundings
  private var isKilled = false
  /// When the engine made the requests of the present run, by their tags.
  private var madeAt: [Int: Date] = [:]
  private(set) var requestCount = 0
  /// The requests that write.
  private(set) var writeCount = 0
  /// All requests and answers, as one number.
  private(set) var trace = Trace()

  /// Whether an answer of the present run refused the session.
  private var isRefused = false
  /// The requests that were answered after that one; a request that is repeated because the network failed
  /// counts once.
  private(set) var requestsAfterRefusal = 0
  /// As many requests may be on their way beside the one that is refused.
  static let mostAfterRefusal = 3

  /// No run needs as many.
  static let mostRequests = 400

  /// The time of the device.
  private let now: () -> Timestamp

  init(_ surroundings: Surroundings, now: @escaping () -> Timestamp) {
    self.surroundings = surroundings
    self.now = now
  }

  func kill() { isKilled = true }
  func beginRun() {
    requestCount = 0
    writeCount = 0
    isRefused = false
    requestsAfterRefusal = 0
  }

  func accept(_ requests: [HTTPRequest]) {
    for request in requests { madeAt[request.tag] = surroundings.clock.date }
  }

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    let letter = Writer.letter(of: surroundings.device)
    surroundings.chronicle.note(request, from: letter)
    let result = answer(request)
    surroundings.chronicle.note(result, to: letter)
    return result
  }

  private func answer(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPError> {
    let clock = surroundings.clock
    clock.pass(milliseconds: Int64(request.delay / .milliseconds(1)) + 2)
    guard !isKilled else { return .failure(.cancelled(.notSent)) }
    requestCount += 1
    guard requestCount <= Self.mostRequests else {
      return .failure(NetworkFault.endless(Self.mostRequests))
    }
    let summary = RequestSummary(request, surroundings.classes)
    if summary.isWrite { writeCount += 1 }
    let sent = LoopbackRequest(request, receivedAt: clock.date)
    let made = madeAt[request.tag] ?? clock.date
    trace.add(sent.target.utf8)
    trace.add(sent.body)
    let fate = surroundings.reached(.leaving(summary))
    guard !isKilled else { return .failure(.cancelled(.unknown)) }
    switch fate {
    case .isLost: return .failure(NetworkFault.connectionLost)
    case .cannotConnect: return .failure(NetworkFault.refused)
    case .fails(let code, let outcome):
      return .failure(
        HTTPError(code, outcome: outcome, message: "The request failed: \(code.rawValue)."))
    case .isDelayed:
      clock.pass(milliseconds: 60_000)
      surroundings.delay(LateRequest(request: sent, madeAt: made), false)
      return .failure(NetworkFault.timedOut)
    case .isAnswered(let status): return .success(Self.answer(status))
    case .arrivesTwice:
      // No network delivers a request twice within one millisecond.
      var second = sent
      second.receivedAt = sent.receivedAt?.addingTimeInterval(0.001)
      surroundings.delay(LateRequest(request: second, madeAt: made), true)
    default: break
    }
    var arriving = sent
    arriving.receivedAt = nil
    if let bug = surroundings.bug { arriving.body = bug.changed(arriving.body, now: now()) }
    let answer =
      if case .failsInPart(let place)? = fate {
        FailureInPart.answer(
          arriving, failing: place, by: surroundings.server, to: surroundings.device)
      } else {
        surroundings.server.answer(arriving, to: surroundings.device)
      }
    var response = HTTPResponse(answer)
    if let bug = surroundings.bug { response.body = Data(bug.changed(Array(response.body))) }
    trace.add(response.body)
    let answerFate = surroundings.reached(.answered(summary, body: response.body))
    guard !isKilled else { return .failure(.cancelled(.unknown)) }
    if isRefused, answerFate == nil { requestsAfterRefusal += 1 }
    if response.status == 400, answerFate == nil, Self.refusesSession(response) { isRefused = true }
    return change(response, answerFate)
  }

  /// The part of an answer that reaches the device.
  private func change(
    _ response: HTTPResponse, _ fate: Fate?
  ) -> Result<HTTPResponse, HTTPError> {
    var response = response
    switch fate {
    case .losesItsAnswer: return .failure(NetworkFault.connectionLost)
    case .isDoneButAnswered(let status): return .success(Self.answer(status))
    case .isDoneButFails(let code):
      return .failure(
        HTTPError(code, outcome: .unknown, message: "The request failed: \(code.rawValue)."))
    case .isCut(let count): response.body = response.body.prefix(count)
    case .isAltered(let number):
      response.body = AlteredAnswer(response.body).text(number) ?? response.body
    case .isTruncated: response.body = response.body.prefix(response.body.count / 2)
    case .isSlow:
      surroundings.clock.pass(milliseconds: 30_000)
      response.duration += .seconds(30)
    default: break
    }
    return .success(response)
  }

  private static func refusesSession(_ response: HTTPResponse) -> Bool {
    (try? LoopbackValue(json: Array(response.body)))?["code"] == 209
  }

  private static func answer(_ status: Int) -> HTTPResponse {
    NetworkFault.answer(status, status == 429 ? #"{"error":"Too many requests."}"# : nil)
  }
}
