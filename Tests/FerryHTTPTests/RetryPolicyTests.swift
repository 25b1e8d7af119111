// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import Testing

@Suite
struct RetryPolicyTests {
  typealias Ending = RetryPolicy.Ending

  private func decide(
    _ result: Result<HTTPResponse, HTTPError>, isWrite: Bool = false, isRateLimited: Bool = false,
    attempt: Int = 1, elapsed: Duration = .zero, jitter: Double = 0, now: Double = 1000
  ) -> RetryPolicy.Decision {
    RetryPolicy().decision(
      for: Ending(
        result, isWrite: isWrite, isRateLimited: isRateLimited, attempt: attempt, elapsed: elapsed),
      jitter: jitter, now: now)
  }

  private func answer(_ status: Int, _ headers: HTTPHeaders = [:]) -> Result<
    HTTPResponse, HTTPError
  > {
    .success(HTTPResponse(status: status, headers: headers))
  }

  @Test(arguments: [
    (200, false, false), (201, false, false), (304, false, false), (400, false, false),
    (401, false, false), (403, false, false), (404, false, false), (408, true, false),
    (413, false, false), (429, true, true), (500, true, false), (501, false, false),
    (502, true, false),
    (503, true, false), (504, true, false), (599, true, false), (600, false, false),
  ])
  func `the status decides whether a read or a write is sent again`(
    status: Int, read: Bool, write: Bool
  ) {
    #expect((decide(answer(status)) != .giveUp) == read)
    #expect((decide(answer(status), isWrite: true) != .giveUp) == write)
  }

  @Test(arguments: [
    (HTTPError.Code.couldNotResolve, true), (.couldNotConnect, true), (.timeout, true),
    (.connectionLost, true), (.tls, false), (.protocolError, false), (.tooLarge, false),
    (.tooManyHeaders, false), (.redirectRefused, false), (.cleartextRefused, false),
    (.invalidURL, false), (.invalidHeader, false), (.cancelled, false), (.localFailure, false),
    (HTTPError.Code(rawValue: "of-tomorrow"), false),
  ])
  func `after an error a write is sent again only if no byte of it can have left`(
    code: HTTPError.Code, mayPass: Bool
  ) {
    for outcome in [HTTPError.Outcome.notSent, .unknown, .answered] {
      let result = Result<HTTPResponse, HTTPError>.failure(
        HTTPError(code, outcome: outcome, message: "It failed."))
      #expect((decide(result) != .giveUp) == mayPass)
      #expect((decide(result, isWrite: true) != .giveUp) == (mayPass && outcome == .notSent))
    }
  }

  @Test func `a refusal for a rate limit behind another status is asked again, writes too`() {
    #expect(decide(answer(400), isWrite: true, isRateLimited: true) != .giveUp)
    #expect(decide(answer(400), isWrite: true) == .giveUp)
  }

  @Test(arguments: [
    (1, 0.0, 250), (1, 0.5, 375), (2, 0, 500), (3, 0, 1000), (4, 0, 2000), (4, 0.5, 3000),
    (8, 0, 15_000), (63, 0, 15_000), (99, 0.5, 22_500),
  ])
  func `waits double up to the longest, and chance takes half of them`(
    attempt: Int, jitter: Double, milliseconds: Int
  ) {
    var policy = RetryPolicy()
    policy.attempts = 100
    let ending = Ending(answer(500), isWrite: false, attempt: attempt)
    let decision = policy.decision(for: ending, jitter: jitter, now: 0)
    #expect(decision == .retry(after: .milliseconds(milliseconds)))
  }

  @Test func `attempts and waiting are bounded`() {
    #expect(decide(answer(500), attempt: 4) != .giveUp)
    #expect(decide(answer(500), attempt: 5) == .giveUp)
    #expect(decide(answer(500), elapsed: .milliseconds(119_750)) != .giveUp)
    #expect(decide(answer(500), elapsed: .milliseconds(119_751)) == .giveUp)
    #expect(decide(answer(429, ["Retry-After": "121"])) == .giveUp)
  }

  @Test(
    arguments: [
      (["Retry-After": "7"], 7.0),
      (["Retry-After": "0"], 0.25),
      (["Retry-After": "-5"], 0.25),
      (["Retry-After": "soon"], 0.25),
      (["Retry-After": "nan"], nil),
      (["Retry-After": "1e300"], nil),
      (["Retry-After": "Thu, 01 Jan 1970 00:17:00 GMT"], 20),
      (
        [
          "Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 08:49:30 GMT",
        ], 7
      ),
      (["X-RateLimit-Reset": "1012"], 12),
      (["X-RateLimit-Reset": "900"], 0.25),
      (["X-RateLimit-Reset": "1012", "X-RateLimit-Remaining": "0"], 12),
      (["X-RateLimit-Reset": "1012", "X-RateLimit-Remaining": "3"], 0.25),
      (["X-RateLimit-Reset": "1012", "Retry-After": "3"], 3),
      (["X-RateLimit-Reset": "784111780", "Date": "Sun, 06 Nov 1994 08:49:37 GMT"], 3),
    ] as [(HTTPHeaders, Double?)])
  func `a server's wish is obeyed, by its own clock where it shows it, and chance comes on top`(
    headers: HTTPHeaders, seconds: Double?
  ) {
    let expected = seconds.map { RetryPolicy.Decision.retry(after: .milliseconds(Int($0 * 1000))) }
    #expect(decide(answer(429, headers)) == expected ?? .giveUp)
    if let seconds, seconds > 1 {
      let later = RetryPolicy.Decision.retry(after: .milliseconds(Int(seconds * 1000) + 250))
      #expect(decide(answer(429, headers), jitter: 0.5) == later)
    }
  }
}
