// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP

/// A transport that sends one request after another, so that a story or a world always takes the same course.
package protocol SequentialTransport: HTTPTransport {
  func exchange(
    _ request: HTTPRequest, _ cancellation: CancellationSignal
  ) -> Result<HTTPResponse, HTTPError>
  /// Takes note of requests that join a run; each of them may wait for others before it leaves.
  func accept(_ requests: [HTTPRequest])
}

extension SequentialTransport {
  package func accept(_ requests: [HTTPRequest]) {}

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    accept(requests)
    var left = requests[...]
    while let request = left.popFirst() {
      if cancellation.isCancelled {
        _ = try completed(request, .failure(.cancelled(.notSent)))
      } else {
        let following = try completed(request, exchange(request, cancellation))
        accept(following)
        left += following
      }
    }
  }
}
