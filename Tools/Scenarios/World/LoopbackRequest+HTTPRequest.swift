// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP
package import Foundation
package import LoopbackParse

// The double called directly: what a transport would carry over a socket is handed over as a value.
extension LoopbackRequest {
  /// The server takes the request at `receivedAt`; nil is the time of its clock.
  package init(_ request: HTTPRequest, receivedAt: Date? = nil) {
    let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
    self.init(
      request.method.rawValue, request.url.path(percentEncoded: true) + query,
      body: Array(request.source?.wholeBody() ?? request.body), receivedAt: receivedAt)
    for field in request.headers.fields { headers[field.name] = field.value }
  }
}

extension HTTPResponse {
  package init(_ response: LoopbackResponse) {
    self.init(status: response.status, body: Data(response.body), bytesDown: response.body.count)
    for (name, value) in response.headers.pairs { headers.add(name: name, value: value) }
  }
}
