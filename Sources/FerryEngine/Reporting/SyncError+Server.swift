// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse

extension SyncError {
  /// The run's error for an exchange that brought no answer.
  init(_ error: HTTPError) {
    let code: Code =
      switch error.code {
      case .cancelled: .cancelled
      case .couldNotResolve, .couldNotConnect, .tls: .unreachable
      case .timeout, .connectionLost: .tryAgain
      case .redirectRefused: .wrongURL
      case .invalidURL, .invalidHeader, .cleartextRefused: .configuration
      case .protocolError, .tooLarge, .tooManyHeaders: .notParseServer
      default: .unreachable
      }
    self.init(code, error.message, cause: error)
  }

  /// The run's error for a refusal that every further request would meet too; nil for any other.
  init?(endingRun error: ParseError) {
    let code: Code
    switch error.meaning {
    case .loginNeeded: code = .loginNeeded
    case .unauthorized: code = .unauthorized
    case .wrongURL: code = .wrongURL
    case .notParse: code = .notParseServer
    case .rateLimited, .retryLater(boundedAttempts: false): code = .tryAgain
    case .retryLater(boundedAttempts: true), .refused, .duplicate, .notFoundOrForbidden,
      .outcomeUnknown, .tooLarge, .malformed:
      return nil
    }
    self.init(code, error.description, cause: error)
  }
}
