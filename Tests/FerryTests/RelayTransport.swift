// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Synchronization

/// An app's own transport: it takes requests apart, sends them its way, and hands the answers back.
final class RelayTransport: HTTPTransport {
  private let names = Mutex<Set<String>>([])

  /// The names of all headers that it has sent.
  var headerNames: Set<String> { names.withLock(\.self) }

  func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    var waiting = requests
    while !waiting.isEmpty {
      let request = waiting.removeFirst()
      if cancellation.isCancelled {
        let error = HTTPError(.cancelled, outcome: .notSent, message: "The app cancelled it.")
        _ = try completed(request, .failure(error))
      } else {
        waiting += try completed(request, Result { () throws(HTTPError) in try answer(request) })
      }
    }
  }

  private func answer(_ request: HTTPRequest) throws(HTTPError) -> HTTPResponse {
    var headers = HTTPHeaders()
    for field in request.headers.fields {
      _ = names.withLock { $0.insert(field.name) }
      headers.add(name: field.name, value: field.value)
    }
    let answer = try CurlTransport().send(
      HTTPRequest(request.method, request.url, headers: headers, body: request.body))
    return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
  }
}
