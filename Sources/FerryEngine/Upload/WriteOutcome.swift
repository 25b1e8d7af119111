// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse

/// What became of one write, as far as its answer tells.
enum WriteOutcome {
  case done(WriteAnswer)
  /// The server said no, for good.
  case refused(ParseError)
  /// A value that has to be unique is taken: perhaps by this very create, sent before.
  case duplicate(ParseError)
  /// Not there, or not ours to change.
  case denied(ParseError)
  /// It may have been carried out or not. Timed out: it may still be running.
  case unknown(timedOut: Bool, String)
  /// It surely was not carried out.
  case notRun
  /// It surely was not carried out, because the request was too large.
  case tooLarge

  init(_ result: Result<WriteAnswer, ParseError>) {
    switch result {
    case .success(let answer): self = .done(answer)
    case .failure(let error): self = WriteOutcome(error)
    }
  }

  init(_ error: ParseError) {
    switch error.meaning {
    case .refused: self = .refused(error)
    case .duplicate: self = .duplicate(error)
    case .notFoundOrForbidden: self = .denied(error)
    case .outcomeUnknown, .malformed:
      self = .unknown(timedOut: error.status == 408 || error.status == 504, error.description)
    case .tooLarge: self = .tooLarge
    case .retryLater, .rateLimited, .loginNeeded, .unauthorized, .wrongURL, .notParse:
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
