// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryPlanning
import Foundation
import Synchronization

/// The way between one device and the server, on which a story may lose, delay and change things.
///
/// Waiting is the story's clock moving on.
final class StoryNetwork: SequentialTransport {
  private let device: String
  private let world: StoryWorld
  private let isKilled = Mutex(false)
  private let sent = Mutex(0)
  /// No run of a story needs as many requests.
  private static let mostRequests = 1_000

  init(device: String, world: StoryWorld) {
    self.device = device
    self.world = world
  }

  func kill() { isKilled.withLock { $0 = true } }

  func beginRun() { sent.withLock { $0 = 0 } }

  /// The requests of the present run.
  var requestCount: Int { sent.withLock { $0 } }

  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError> {
    let clock = world.clock
    clock.pass(request.delay + .milliseconds(2))
    guard !isDead else { return .failure(.cancelled(.notSent)) }
    guard countRequest() <= Self.mostRequests else {
      return .failure(NetworkFault.endless(Self.mostRequests))
    }
    let content = world.content(of: request)
    let sentAt = clock.now
    let fate = world.reached(.leaving(content), on: device)
    guard !isDead else { return .failure(.cancelled(.unknown)) }
    switch fate {
    case .isLost: return .failure(NetworkFault.connectionLost)
    case .cannotConnect: return .failure(NetworkFault.refused)
    case .isDelayed:
      clock.pass(.seconds(60))
      world.delay(request, content, sentAt: sentAt)
      return .failure(NetworkFault.timedOut)
    case .isAnswered(let status, let body): return .success(NetworkFault.answer(status, body))
    case .losesItsConnection: world.server.cutNextAnswer()
    default: break
    }
    var request = request
    request.delay = .zero
    let sent = request
    let result = Result { () throws(HTTPError) in
      try world.server.transport.send(sent, cancellation: cancellation)
    }
    guard case .success(let response) = result else { return result }
    let answerFate = world.reached(.answered(content, response), on: device)
    guard !isDead else { return .failure(.cancelled(.unknown)) }
    return answerFate.map { change(response, $0) } ?? result
  }

  private func countRequest() -> Int {
    sent.withLock { sent in
      sent += 1
      return sent
    }
  }

  private var isDead: Bool { isKilled.withLock(\.self) }

  /// The part of an answer that reaches the device.
  private func change(_ response: HTTPResponse, _ fate: Fate) -> Result<HTTPResponse, HTTPError> {
    var response = response
    switch fate {
    case .losesItsAnswer: return .failure(NetworkFault.connectionLost)
    case .isDoneButAnswered(let status, let body):
      return .success(NetworkFault.answer(status, body))
    case .isReworded: response.body = Rewording.reworded(response.body)
    case .takes(let duration):
      world.clock.pass(duration)
      response.duration += duration
    case .date(let ahead):
      response.headers["Date"] = ahead.flatMap { ahead in
        response.date.map { ($0 + Double(ahead.components.seconds)).headerText }
      }
    default: break
    }
    return .success(response)
  }
}
