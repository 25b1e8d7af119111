// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP

extension ParseResponses {
  /// The user whom an answer describes.
  package func user(
    _ response: HTTPResponse, to request: AnsweredRequest = .read
  ) throws(ParseError) -> ParseUser {
    try answer(response, to: request) { ParseUser($0) }
  }

  /// The token that replaces all earlier ones of a user; nil where the server ended no session.
  package func renewedSession(_ response: HTTPResponse) throws(ParseError) -> Secret? {
    try answer(response, to: .write) { root -> Secret?? in
      guard root["updatedAt"] != nil else { return nil }
      return .some(root["sessionToken"]?.string.map { Secret($0) })
    }
  }

  /// Checks that the server did what was asked; it answers `{}`.
  package func checkDone(_ response: HTTPResponse) throws(ParseError) {
    try answer(response, to: .write) { $0.kind == .object && $0["error"] == nil ? () : nil }
  }
}
