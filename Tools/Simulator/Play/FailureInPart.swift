// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// A server that fails at the first operation of a batch, which it does not carry out.
enum FailureInPart {
  /// The answer to a request; one that is no batch fails as a whole.
  static func answer(_ request: LoopbackRequest, by server: SimulatedServer) -> LoopbackResponse {
    let failure: LoopbackValue = ["code": 1, "error": "Internal server error."]
    guard let body = request.json, let operations = body["requests"]?.array else {
      return LoopbackResponse(status: 500, json: failure)
    }
    var items: [LoopbackValue] = []
    if operations.count > 1 {
      var members = body.object ?? [:]
      members["requests"] = .array(Array(operations.dropFirst()))
      var rest = request
      rest.body = Array(LoopbackValue.object(members).text.utf8)
      let response = server.answer(rest)
      guard let answered = (try? LoopbackValue(json: response.body))?.array else { return response }
      items = answered
    }
    return LoopbackResponse(status: 200, json: .array([["error": failure]] + items))
  }
}
