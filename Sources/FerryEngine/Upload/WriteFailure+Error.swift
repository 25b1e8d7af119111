// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

extension WriteFailure {
  init(_ error: ParseError) {
    self.init(error.meaning, code: error.code?.rawValue, error.description, cause: error)
  }

  init(_ error: HTTPError) {
    switch error.outcome {
    case .notSent, .answered: self.init(.retryLater, error.message, cause: error)
    case .unknown: self.init(.outcomeUnknown(mayStillRun: true), error.message, cause: error)
    }
  }
}
