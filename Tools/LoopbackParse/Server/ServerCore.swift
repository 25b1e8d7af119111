// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// What the threads of a server share: the backend, the faults, the record of requests.
///
/// It is apart from `LoopbackServer` so that the last reference to that can never be a connection's
/// thread, which could not wait for its own end.
final class ServerCore: Sendable {
  struct State {
    var backend: LoopbackBackend
    var fault: LoopbackServer.FaultSource?
    var exchanges: [LoopbackExchange] = []
    var requestCount = 0
  }

  let state: Mutex<State>
  let pause = Pause()

  init(backend: LoopbackBackend) { state = Mutex(State(backend: backend)) }

  func respond(to request: LoopbackRequest) -> HTTPAction {
    var request = request
    let source = state.withLock { state in
      state.requestCount += 1
      request.receivedAt = state.backend.configuration.now()
      return state.fault
    }
    let fault = source?(request) ?? LoopbackFault()
    pause.wait(fault.delayBeforeCommit)
    var answer = LoopbackResponse(status: 502)
    if fault.commits { answer = state.withLock { $0.backend.answer(request) } }
    pause.wait(fault.delayBeforeAnswer)
    let action: HTTPAction =
      switch fault.outcome {
      case .sent: .send(answer)
      case .dropped: .drop
      case .truncated(let bytes): .cut(answer, bytes: bytes)
      case .replaced(let other): .send(other)
      }
    record(request, action)
    return action
  }

  private func record(_ request: LoopbackRequest, _ action: HTTPAction) {
    let exchange: LoopbackExchange =
      switch action {
      case .drop: LoopbackExchange(request, status: nil, responseSize: 0)
      case .send(let answer):
        LoopbackExchange(request, status: answer.status, responseSize: answer.body.count)
      case .cut(let answer, let bytes):
        LoopbackExchange(
          request, status: answer.status, responseSize: min(bytes, answer.body.count))
      }
    state.withLock { $0.exchanges.append(exchange) }
  }
}
