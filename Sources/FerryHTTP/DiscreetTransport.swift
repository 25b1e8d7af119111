// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// A transport that masks the secrets of a request in the words of the server about it.
///
/// A server, or something in between, may repeat the headers of a request in its refusal. The refusal
/// appears in errors, and the store keeps it for a change that waits. A success stays as it is, because
/// its bytes are data; but a batch of writes holds refusals, too.
package struct DiscreetTransport: HTTPTransport {
  private let inner: any HTTPTransport

  /// Masks secrets in the answers of another transport.
  package init(_ inner: any HTTPTransport) { self.inner = inner }

  package func run<Failure: Error>(
    _ requests: [HTTPRequest], cancellation: CancellationSignal,
    completed: (HTTPRequest, Result<HTTPResponse, HTTPError>) throws(Failure) -> [HTTPRequest]
  ) throws(Failure) {
    try inner.run(requests, cancellation: cancellation) {
      (request, result) throws(Failure) -> [HTTPRequest] in
      try completed(request, result.map { $0.withoutSecrets(of: request) })
    }
  }
}

extension HTTPResponse {
  fileprivate func withoutSecrets(of request: HTTPRequest) -> HTTPResponse {
    let isRefused = !(200...299).contains(status)
    guard isRefused || request.isWrite && body.range(of: Data("\"error\"".utf8)) != nil else {
      return self
    }
    var response = self
    for secret in request.headers.secrets {
      // JSON may write a slash in two ways.
      for spelling in [secret, secret.replacing("/", with: "\\/")] {
        response.body = response.body.masking(Data(spelling.utf8))
      }
    }
    return response
  }
}

extension Data {
  /// The bytes with a mask for each occurrence of a secret.
  fileprivate func masking(_ secret: Data) -> Data {
    guard var found = range(of: secret) else { return self }
    var masked = Data()
    var rest = startIndex
    while true {
      masked += self[rest..<found.lowerBound] + Data("•••".utf8)
      rest = found.upperBound
      guard let next = range(of: secret, in: rest..<endIndex) else { break }
      found = next
    }
    return masked + self[rest...]
  }
}
