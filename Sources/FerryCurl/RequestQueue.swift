// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP

/// The requests of a run that are not in flight: those that are due, in order, and those that wait
/// for a time.
struct RequestQueue {
  private struct Delayed {
    let due: ContinuousClock.Instant
    let request: HTTPRequest
  }

  private var ready: ArraySlice<HTTPRequest> = []
  /// Sorted by due time, the latest first.
  private var delayed: [Delayed] = []

  var isEmpty: Bool { ready.isEmpty && delayed.isEmpty }

  mutating func add(_ requests: [HTTPRequest], now: ContinuousClock.Instant) {
    for request in requests {
      if request.delay > .zero {
        let due = now + request.delay
        let place = delayed.lastIndex { $0.due >= due }.map { $0 + 1 } ?? 0
        delayed.insert(Delayed(due: due, request: request), at: place)
      } else {
        ready.append(request)
      }
    }
  }

  /// The next request that is due; nil also if its answer may have more bytes than there is room for.
  mutating func next(now: ContinuousClock.Instant, upTo room: Int = .max) -> HTTPRequest? {
    while let first = delayed.last, first.due <= now {
      ready.append(first.request)
      delayed.removeLast()
    }
    guard let first = ready.first, first.heldBytes <= room else { return nil }
    return ready.popFirst()
  }

  /// The time at which another request is due; nil if none waits for a time.
  var nextDue: ContinuousClock.Instant? { delayed.last?.due }

  /// Removes and returns all requests.
  mutating func removeAll() -> [HTTPRequest] {
    defer { self = RequestQueue() }
    return ready + delayed.reversed().map(\.request)
  }
}
