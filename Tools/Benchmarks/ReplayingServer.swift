// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse
import Synchronization

/// A server that gives each request the answer of the first time, so that its own work is not measured.
///
/// It takes no writes.
final class ReplayingServer: Sendable {
  private struct Question: Hashable {
    var method: String
    var target: String
    var body: [UInt8]
  }

  private struct State {
    var backend: LoopbackBackend
    var answers: [Question: LoopbackResponse] = [:]
  }

  private let server = Mutex<LoopbackServer?>(nil)
  let url: String

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - backend: The records.
  ///   - delay: How long each answer takes.
  /// - Throws: The error of a server that cannot be started.
  init(_ backend: LoopbackBackend, delay: Duration) throws {
    let server = try LoopbackServer(backend: LoopbackBackend())
    let state = Mutex(State(backend: backend))
    server.setFault { request in
      let question = Question(method: request.method, target: request.target, body: request.body)
      var answer = LoopbackFault.respond(
        state.withLock { state in
          if let known = state.answers[question] { return known }
          let answer = state.backend.answer(request)
          state.answers[question] = answer
          return answer
        })
      answer.delayBeforeAnswer = delay
      return answer
    }
    url = server.url
    self.server.withLock { $0 = server }
  }

  /// How many requests have arrived.
  var requestCount: Int { server.withLock { $0?.requestCount ?? 0 } }

  func stop() { server.withLock { $0?.stop() } }
}
