// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Synchronization

/// Counts requests and bytes of a run into its ledger, and notices a server that does not answer.
final class MeteredTransport: HTTPTransport {
  private let inner: any HTTPTransport
  private let ledger: RunLedger
  private let uptime: @Sendable () -> Double
  private let silence = Mutex(Silence())

  init(
    inner: any HTTPTransport, ledger: RunLedger,
    uptime: @escaping @Sendable () -> Double = SyncEnvironment.live.uptime
  ) {
    self.inner = inner
    self.ledger = ledger
    self.uptime = uptime
  }

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    note(requests)
    defer { silence.withLock { $0 = Silence() } }
    try inner.run(requests, cancellation: cancellation) {
      (request, result) throws(Failure) -> [HTTPRequest] in
      ledger.exchanged(up: request.body.count, down: (try? result.get())?.body.count ?? 0)
      silence.withLock { $0.ended(request.tag, at: uptime()) }
      let more = try completed(request, result)
      note(more)
      return more
    }
  }

  /// The length of the server's silence, if an event is due now.
  func silenceToSay() -> Double? { silence.withLock { $0.toSay(at: uptime()) } }

  private func note(_ requests: [HTTPRequest]) {
    let now = uptime()
    silence.withLock { silence in
      for request in requests { silence.left(request.tag, at: now + request.delay / .seconds(1)) }
    }
  }
}
