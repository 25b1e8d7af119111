// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
import Foundation

/// The ends of an exchange that never reached the server, or whose answer never came back.
package enum NetworkFault {
  package static let connectionLost = HTTPError(
    .connectionLost, outcome: .unknown, message: "The connection ended before the answer came.")
  package static let timedOut = HTTPError(
    .timeout, outcome: .unknown, message: "The answer did not come in time.")
  package static let refused = HTTPError(
    .couldNotConnect, outcome: .notSent, message: "Nobody listens there.")

  /// Ends a run that sends ever more requests.
  package static func endless(_ requests: Int) -> HTTPError {
    HTTPError(
      .couldNotConnect, outcome: .notSent,
      message: "The run does not come to an end: it has sent \(requests) requests.")
  }

  /// An answer that the network makes up; without a body, an internal error.
  package static func answer(_ status: Int, _ body: String? = nil) -> HTTPResponse {
    let body = body ?? #"{"code":1,"message":"Internal server error."}"#
    return HTTPResponse(
      status: status, headers: ["Content-Type": "application/json"], body: Data(body.utf8))
  }
}
