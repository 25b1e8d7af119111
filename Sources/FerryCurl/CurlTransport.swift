// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP

/// A transport over libcurl.
///
/// Connections outlive a run, and the next run uses them again. Several threads may run at once;
/// each has its own connections meanwhile. The transport follows no redirects, uses HTTPS except for
/// localhost (unless ``CurlOptions/allowsCleartext`` is set), and ignores `.netrc` and cookies.
///
/// ```swift
/// let transport = CurlTransport()
/// let answer = try transport.send(HTTPRequest(.get, url))
/// ```
public struct CurlTransport: HTTPTransport {
  private let options: CurlOptions
  private let pool: HandlePool

  /// Makes a transport; it opens connections when there is something to send.
  public init(options: CurlOptions = CurlOptions()) {
    var options = options
    options.requestsInFlight = max(options.requestsInFlight, 1)
    self.options = options
    pool = HandlePool(connections: options.requestsInFlight)
  }

  /// Sends requests, several at once, and blocks until none is left.
  public func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    let multi: MultiHandle
    do throws(CurlCode) {
      multi = try pool.take()
    } catch {
      return try refuseAll(requests, error, completed)
    }
    defer { pool.giveBack(multi) }
    var run = CurlRun(requests, on: multi, options, cancellation)
    try run.finish(completed)
  }

  /// Ends every request, and every further one, because the library failed to start.
  private func refuseAll<Failure: Error>(
    _ requests: [HTTPRequest], _ code: CurlCode,
    _ completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var left = requests[...]
    while let request = left.popFirst() {
      let error = CurlError(code: code, detail: "")
      left += try completed(
        request, .failure(.failed(error, request, .notSent, status: nil)))
    }
  }
}
