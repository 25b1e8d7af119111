// Ferry: offline-first sync for Parse Server. MIT licence.

/// Sends requests and brings answers: the port between Ferry and a network.
///
/// A transport blocks the thread it is called on, so call it from a thread of your own, never from
/// Swift's cooperative pool. Several threads may call it at once.
public protocol HTTPTransport: Sendable {
  /// Sends requests, several at once, and blocks until none is left.
  ///
  /// As each ends, `completed` is called with it and its result, on the calling thread, one at a
  /// time, in the order they end. It may return further requests, which join the run: a pager over
  /// many classes is one run. Other transfers wait while it works, so it should be short.
  ///
  /// - *Cancelled*: within half a second each request that is left ends as `.cancelled`, with what
  ///   is known of its effect, and nothing more is sent. Requests returned later end as
  ///   `.cancelled` too, except those returned for one that was itself `.cancelled`: they are
  ///   dropped, so that a run always ends.
  /// - *Throwing*: if `completed` throws, all that is in flight is abandoned, without a further
  ///   call, and the error is thrown on.
  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure)
}

extension HTTPTransport {
  /// Sends one request and waits for its answer; every complete answer is returned, whatever its
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

  /// Sends several requests at once and waits for all; the results stand in the requests' order.
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
