// Ferry: offline-first sync for Parse Server. MIT licence.

package import Foundation
package import LoopbackParse
import Synchronization

/// A Parse-compatible server on real sockets that misbehaves at some exchanges.
///
/// It answers as the double does, until it is told how to misbehave, and where.
package final class EvilServer: Sendable {
  private let core: Core
  private let sockets: ScriptedServer

  package init(_ backend: LoopbackBackend = LoopbackBackend()) throws {
    let core = Core(backend)
    self.core = core
    sockets = try ScriptedServer { connection in
      while core.beforeReading(connection), let request = connection.readRequest() {
        for step in core.steps(after: request) where !step.play(on: connection) { return }
      }
    }
  }

  deinit { sockets.stop() }

  package var url: URL { sockets.url("parse") }

  package var port: UInt16 { sockets.port }

  /// Misbehaves at one kind of exchange from now on; not at all without a behaviour.
  package func play(_ behaviour: EvilBehaviour?, at exchange: EvilExchange? = nil) {
    core.state.withLock { state in
      state.behaviour = behaviour
      state.exchanges = exchange.map { [$0] } ?? Set(behaviour?.exchanges ?? [])
      (state.played, state.requestCount, state.cut) = (0, 0, nil)
    }
  }

  /// Cuts one exchange from now on, and no other.
  package func cut(_ cut: WireCut) {
    core.state.withLock { state in
      state.behaviour = nil
      (state.played, state.requestCount, state.cut) = (0, 0, cut)
    }
  }

  /// How often the server has misbehaved since it was told to.
  package var playedCount: Int { core.state.withLock(\.played) }

  /// The number of requests since then.
  package var requestCount: Int { core.state.withLock(\.requestCount) }

  /// A copy of all that the server holds.
  package var backend: LoopbackBackend { core.state.withLock(\.backend) }

  /// Reads or changes what the server holds.
  package func withBackend<Result: Sendable, Failure: Error>(
    _ body: (inout LoopbackBackend) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try core.state.withLock { state throws(Failure) in try body(&state.backend) }
  }
}

extension EvilServer {
  fileprivate struct State {
    var backend: LoopbackBackend
    var behaviour: EvilBehaviour?
    var exchanges: Set<EvilExchange> = []
    var cut: WireCut?
    var played = 0
    var requestCount = 0
  }

  /// The state that the threads of the connections share.
  fileprivate final class Core: Sendable {
    let state: Mutex<State>

    init(_ backend: LoopbackBackend) { state = Mutex(State(backend: backend)) }

    /// Whether the next request of a connection is read to its end.
    func beforeReading(_ connection: WireConnection) -> Bool {
      // A connection may wait here for long, and only its first byte makes it the next request.
      guard let length = state.withLock({ $0.cut?.requestBytes }) else { return true }
      guard connection.read(1) else { return false }
      let isCut = state.withLock { state in
        guard state.requestCount + 1 == state.cut?.place else { return false }
        (state.requestCount, state.played) = (state.requestCount + 1, 1)
        return true
      }
      guard isCut else { return true }
      _ = connection.read(length)
      connection.resetAtEnd()
      return false
    }

    func steps(after request: WireRequest) -> [EvilStep] {
      state.withLock { state in
        state.requestCount += 1
        let isCut = state.requestCount == state.cut?.place
        let exchange = EvilExchange(request)
        let behaviour = exchange.flatMap { state.exchanges.contains($0) ? state.behaviour : nil }
        let isCarriedOut = behaviour?.carriesOut ?? true
        let response =
          isCarriedOut
          ? state.backend.answer(LoopbackRequest(request)) : LoopbackResponse(status: 500)
        let answer = TrueAnswer(response, number: state.played)
        if isCut || behaviour != nil { state.played += 1 }
        if isCut, let length = state.cut?.answerBytes {
          return [.send(Array(answer.bytes().prefix(length))), .reset]
        }
        return behaviour.map { $0.steps(answer) } ?? [.send(answer.bytes())]
      }
    }
  }
}

extension TrueAnswer {
  fileprivate init(_ response: LoopbackResponse, number: Int) {
    let lines = response.headers.pairs.filter { $0.name.lowercased() != "content-length" }
    self.init(
      status: response.status, headers: lines.map { "\($0.name): \($0.value)\r\n" }.joined(),
      body: response.body, number: number)
  }
}

extension LoopbackRequest {
  fileprivate init(_ request: WireRequest) {
    let words = request.requestLine.split(separator: " ").map(String.init)
    var headers = LoopbackHeaders()
    for line in request.head.split(separator: "\r\n").dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      headers[String(line[..<colon])] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    self.init(
      words.first ?? "", words.dropFirst().first ?? "/", headers: headers, body: request.body)
  }
}
