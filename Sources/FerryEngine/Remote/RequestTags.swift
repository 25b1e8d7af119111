// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// Tells, of each response, what its request was for.
struct RequestTags<Purpose> {
  private var purposes: [Int: Purpose] = [:]
  private var last = 0

  /// The request with a number of its own.
  mutating func tagged(_ request: HTTPRequest, _ purpose: Purpose) -> HTTPRequest {
    last += 1
    purposes[last] = purpose
    var request = request
    request.tag = last
    return request
  }

  /// The purpose of a request that has ended; nil for one that ended before.
  mutating func take(_ request: HTTPRequest) -> Purpose? {
    purposes.removeValue(forKey: request.tag)
  }
}
