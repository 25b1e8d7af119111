// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// A transfer that libcurl ended, with what a message about it needs.
package struct CurlError: Error, CustomStringConvertible {
  /// The library's code.
  package let code: CurlCode
  /// The library's own message, which names hosts and ports, never headers.
  package let detail: String

  /// Shows the library's message.
  package var description: String { detail.isEmpty ? code.description : detail }
}

extension HTTPError {
  /// Turns a code of the library into an error that says what happened, what became of the request,
  /// and what to do.
  static func failed(
    _ error: CurlError, _ request: HTTPRequest, _ outcome: Outcome, status: Int?,
    exceeding exceeded: TimeLimit? = nil
  ) -> HTTPError {
    let server = request.url.server
    let (code, happened, advice): (Code, String, String) =
      switch error.code {
      case .couldNotResolveHost, .couldNotResolveProxy:
        (
          .couldNotResolve, "The network does not know the server of \(server)",
          "Check the address, and that this device is online"
        )
      case .couldNotConnect, .proxy:
        (
          .couldNotConnect, "Nothing accepts a connection at \(server)",
          "Check the address, and that the server runs"
        )
      case .timedOut:
        (
          .timeout, "\(server) \(exceeded?.fault ?? "took too long")",
          "Try again later"
        )
      case let code where CurlCode.encryption.contains(code):
        (
          .tls, "No safe connection to \(server) could be made (\(error))",
          "Check the server's certificate and this device's clock; verification cannot be switched"
            + " off"
        )
      case .unsupportedProtocol, .weirdServerReply, .badContentEncoding:
        (
          .protocolError, "\(server) answered with something that is not HTTP (\(error))",
          "Check that the address is that of a Parse Server"
        )
      case .partialFile, .gotNothing, .sendError, .receiveError, .sendFailedToRewind,
        .abortedByCallback, .http2, .http2Stream:
        (
          .connectionLost, "The connection to \(server) ended before the answer was complete",
          "Try again later"
        )
      default:
        (
          .localFailure, "This device could not carry out the exchange with \(server) (\(error))",
          "Free memory and file handles, or report it if it stays"
        )
      }
    var failure = HTTPError(
      code, outcome: outcome,
      message: "\(happened). \(effect(outcome, of: request)) \(advice).",
      status: status, cause: error)
    failure.happening = "\(happened)."
    if code == .timeout, exceeded?.duration == request.limits.slowTime {
      failure.silence = request.limits.slowTime
    }
    return failure
  }

  /// The error for an answer, or for a request, that Ferry itself refuses.
  static func refused(
    _ code: Code, _ happened: String, _ request: HTTPRequest, _ outcome: Outcome,
    advice: String, status: Int? = nil
  ) -> HTTPError {
    HTTPError(
      code, outcome: outcome,
      message: "\(happened). \(effect(outcome, of: request)) \(advice).", status: status)
  }

  /// The request's effect on the server.
  private static func effect(_ outcome: Outcome, of request: HTTPRequest) -> String {
    switch outcome {
    case .notSent: "This request was not sent."
    case .answered: "The server did not carry the request out."
    case .unknown where request.isWrite: "The server may or may not have carried the request out."
    case .unknown: "Nothing was changed by it."
    }
  }
}
