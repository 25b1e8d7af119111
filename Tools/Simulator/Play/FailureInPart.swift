// Ferry: offline-first sync for Parse Server. MIT licence.

import LoopbackParse

/// A server that fails at one operation of a batch, which it does not carry out.
enum FailureInPart {
  /// The answer to a request; one that has no operation of that number fails as a whole.
  static func answer(
    _ request: LoopbackRequest, failing place: Int, by server: SimulatedServer, to device: Int
  ) -> LoopbackResponse {
    let failure: LoopbackValue = ["code": 1, "error": "Internal server error."]
    guard let body = request.json, var operations = body["requests"]?.array,
      operations.indices.contains(place)
    else { return LoopbackResponse(status: 500, json: failure) }
    operations.remove(at: place)
    var items: [LoopbackValue] = []
    if !operations.isEmpty {
      var members = body.object ?? [:]
      members["requests"] = .array(operations)
      var rest = request
      rest.body = Array(LoopbackValue.object(members).text.utf8)
      let response = server.answer(rest, to: device)
      guard let answered = (try? LoopbackValue(json: response.body))?.array,
        answered.count == operations.count
      else { return response }
      items = answered
    }
    items.insert(["error": failure], at: place)
    return LoopbackResponse(status: 200, json: .array(items))
  }
}
