// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

/// The outcome of one write, as far as its answer shows.
enum WriteOutcome {
  case done(WriteAnswer)
  /// The server refused the write for good.
  case refused(ParseError)
  /// A unique value exists already, perhaps because an earlier attempt of this create arrived.
  case duplicate(ParseError)
  /// The record does not exist, or this user may not change it.
  case denied(ParseError)
  /// The server may have carried the write out. If it timed out, it may still be running.
  case unknown(timedOut: Bool, String)
  /// The server certainly did not carry the write out.
  case notRun
  /// The server certainly did not carry the write out, because the request was too large.
  case tooLarge

  init(_ result: Result<WriteAnswer, ParseError>) {
    switch result {
    case .success(let answer): self = .done(answer)
    case .failure(let error): self = WriteOutcome(error)
    }
  }

  init(_ error: ParseError) {
    switch error.meaning {
    case .refused, .forbidden, .invalidName: self = .refused(error)
    case .duplicate: self = .duplicate(error)
    case .notFoundOrForbidden: self = .denied(error)
    case .outcomeUnknown(let mayStillRun):
      self = .unknown(timedOut: mayStillRun, error.description)
    case .malformed, .cut: self = .unknown(timedOut: false, error.description)
    case .tooLarge: self = .tooLarge
    case .retryLater, .failed, .rateLimited, .loginNeeded, .unauthorized, .wrongURL, .notParse:
      self = .notRun
    }
  }

  init(_ error: HTTPError) {
    switch error.outcome {
    case .notSent, .answered: self = .notRun
    case .unknown: self = .unknown(timedOut: true, error.message)
    }
  }
}
