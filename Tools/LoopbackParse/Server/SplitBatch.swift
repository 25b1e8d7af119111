// Ferry: offline-first sync for Parse Server. MIT licence.

/// A batch in two: the operations that are carried out at once, and those that are held back.
struct SplitBatch {
  let early: LoopbackRequest
  let late: LoopbackRequest
  private let held: Set<Int>

  /// Splits a batch; nil for what is no batch, or is a transaction, whose rows show all at once.
  init?(_ request: LoopbackRequest, holding held: Set<Int>) {
    guard request.path.hasSuffix("/batch"), case .object(let members) = request.json,
      members["transaction"] != true, let operations = members["requests"]?.array
    else { return nil }
    func part(_ isMeant: (Int) -> Bool) -> LoopbackRequest {
      var members = members
      members["requests"] = .array(
        operations.enumerated().filter { isMeant($0.offset) }.map(\.element))
      var part = request
      part.body = JSONWriter.bytes(of: .object(members))
      return part
    }
    self.held = held
    early = part { !held.contains($0) }
    late = part(held.contains)
  }

  /// The answers to both parts as one, in the order of the operations.
  func answer(_ early: LoopbackResponse, _ late: LoopbackResponse) -> LoopbackResponse {
    guard var first = early.json?.array else { return early }
    guard var second = late.json?.array else { return late }
    first.reverse()
    second.reverse()
    let items = (0..<first.count + second.count).compactMap { place in
      held.contains(place) ? second.popLast() : first.popLast()
    }
    return LoopbackResponse(status: late.status, headers: late.headers, json: .array(items))
  }
}
