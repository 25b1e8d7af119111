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

  private let server: LoopbackServer
  private let state: Mutex<State>
  var url: String { server.url }

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - backend: The records.
  ///   - delay: How long each answer takes.
  /// - Throws: The error of a server that cannot be started.
  init(_ backend: LoopbackBackend, delay: Duration = .zero) throws {
    server = try LoopbackServer(backend: LoopbackBackend())
    state = Mutex(State(backend: backend))
    server.setFault { [unowned self] request in
      let question = Question(method: request.method, target: request.target, body: request.body)
      var answer = LoopbackFault.respond(
        self.state.withLock { state in
          if let known = state.answers[question] { return known }
          let answer = state.backend.answer(request)
          state.answers[question] = answer
          return answer
        })
      answer.delayBeforeAnswer = delay
      return answer
    }
  }

  /// Changes the records, and forgets the answers.
  func change(_ body: (inout LoopbackBackend) throws -> Void) rethrows {
    try state.withLock { state in
      try body(&state.backend)
      state.answers = [:]
    }
  }

  /// How many requests have arrived.
  var requestCount: Int { server.requestCount }

  func stop() { server.stop() }
}
