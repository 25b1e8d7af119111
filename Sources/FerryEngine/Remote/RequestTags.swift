// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// Tells, of each response, what its request was for.
struct RequestTags<Purpose> {
  private var purposes: [Int: Purpose] = [:]
  private var last: Int

  /// - Parameter last: The tag before the first one; two kinds of requests of one run need ranges of their own.
  init(after last: Int = 0) { self.last = last }

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
