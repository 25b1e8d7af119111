// Ferry: offline-first sync for Parse Server. MIT licence.

import Synchronization

/// The state that the threads of a server share: the backend, the faults, the record of requests.
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
  let live = LiveQueryService()

  init(backend: LoopbackBackend) { state = Mutex(State(backend: backend)) }

  func respond(to request: LoopbackRequest) -> HTTPAction {
    if let accept = request.proofOfWebSocket,
      state.withLock({ !$0.backend.configuration.liveQueryClasses.isEmpty })
    {
      return .upgrade(accept: accept)
    }
    var request = request
    let source = state.withLock { state in
      state.requestCount += 1
      request.receivedAt = state.backend.configuration.now()
      return state.fault
    }
    let fault = source?(request) ?? LoopbackFault()
    let answer = carryOut(request, fault)
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

  private func carryOut(_ request: LoopbackRequest, _ fault: LoopbackFault) -> LoopbackResponse {
    let batch = fault.heldOperations.flatMap { SplitBatch(request, holding: $0) }
    let early = batch.map { batch in change { $0.answer(batch.early) } }
    pause.wait(fault.delayBeforeCommit)
    fault.beforeCommit?()
    guard fault.commits else { return LoopbackResponse(status: 502) }
    let late = change { $0.answer(batch?.late ?? request) }
    guard let batch, let early else { return late }
    return batch.answer(early, late)
  }

  /// Reads or changes the backend, and tells the live queries what changed.
  func change<Result: Sendable, Failure: Error>(
    _ body: (inout LoopbackBackend) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (result, events) = try state.withLock { state throws(Failure) in
      let result = try body(&state.backend)
      return (result, live.events(of: &state.backend))
    }
    live.send(events)
    return result
  }

  private func record(_ request: LoopbackRequest, _ action: HTTPAction) {
    let exchange: LoopbackExchange =
      switch action {
      case .drop, .upgrade: LoopbackExchange(request, status: nil, responseSize: 0)
      case .send(let answer):
        LoopbackExchange(request, status: answer.status, responseSize: answer.body.count)
      case .cut(let answer, let bytes):
        LoopbackExchange(
          request, status: answer.status, responseSize: min(bytes, answer.body.count))
      }
    state.withLock { $0.exchanges.append(exchange) }
  }
}
