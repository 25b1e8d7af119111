// Ferry: offline-first sync for Parse Server. MIT licence.

/// Sends requests and returns answers: the port between Ferry and a network.
///
/// A transport blocks the calling thread. Call it from your own thread, never from Swift's
/// cooperative pool. Several threads may call it at once.
public protocol HTTPTransport: Sendable {
  /// Sends requests, several at once, and blocks until none is left.
  ///
  /// When a request ends, the transport calls `completed` with the request and its result. It calls
  /// on the calling thread, one at a time, in the order in which requests end. `completed` may
  /// return further requests, which join the run; so one run can page through many classes. Other
  /// transfers wait for `completed`, so keep it short.
  ///
  /// - *Cancelled*: within half a second each remaining request ends as `.cancelled`, with what
  ///   is known of its effect. The transport sends nothing more. Requests returned later end as
  ///   `.cancelled` too. The transport drops requests that `completed` returns for a cancelled
  ///   request, so that a run always ends.
  /// - *Throwing*: if `completed` throws, the transport abandons all requests in flight without
  ///   further calls, and rethrows the error.
  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure)
}

extension HTTPTransport {
  /// Sends one request and waits for its answer; returns every complete answer, whatever its
  /// status.
  public func send(
    _ request: HTTPRequest, cancellation: CancellationSignal = CancellationSignal()
  ) throws(HTTPError) -> HTTPResponse {
    var last: Result<HTTPResponse, HTTPError> = .failure(.cancelled(.notSent))
    run([request], cancellation: cancellation) { _, result in
      last = result
      return []
    }
    return try last.get()
  }

  /// Sends several requests at once and waits for all; results are in the order of the requests.
  public func sendAll(
    _ requests: [HTTPRequest], cancellation: CancellationSignal = CancellationSignal()
  ) -> [Result<HTTPResponse, HTTPError>] {
    var results = [Result<HTTPResponse, HTTPError>](
      repeating: .failure(.cancelled(.notSent)), count: requests.count)
    var numbered = requests
    for index in numbered.indices { numbered[index].tag = index }
    run(numbered, cancellation: cancellation) { request, result in
      results[request.tag] = result
      return []
    }
    return results
  }
}
