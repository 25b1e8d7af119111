// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// Counts requests and bytes of a run into its ledger.
struct MeteredTransport: HTTPTransport {
  let inner: any HTTPTransport
  let ledger: RunLedger

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    try inner.run(requests, cancellation: cancellation) {
      (request, result) throws(Failure) -> [HTTPRequest] in
      ledger.exchanged(up: request.bodyCount, down: (try? result.get())?.body.count ?? 0)
      return try completed(request, result)
    }
  }
}
