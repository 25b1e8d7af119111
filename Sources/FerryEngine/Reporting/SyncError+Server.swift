// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryParse
import FerryPlanning

extension SyncError {
  /// The run's error for an exchange without an answer; its message is that of the exchange and a sentence about unsent
  /// changes, except for a cancelled run.
  public init(_ error: HTTPError) {
    guard error.code != .cancelled else {
      self = .cancelled(cause: error)
      return
    }
    let code: Code =
      switch error.code {
      case .couldNotResolve, .couldNotConnect, .tls: .unreachable
      case .timeout, .connectionLost: .tryAgain
      case .redirectRefused: .wrongURL
      case .invalidURL, .invalidHeader, .cleartextRefused: .configuration
      case .protocolError, .tooLarge, .tooManyHeaders: .notParseServer
      default: .unreachable
      }
    let kept = "Unsent changes are kept; the next run goes on from there."
    self.init(code, "\(error.message) \(kept)", cause: error)
    silence = error.silence
  }

  /// The run's error for an app that gave no session token.
  ///
  /// The app's own error is the cause, and not in the message, because it may contain a secret.
  init(_ error: AppAnswerError) {
    let remedy =
      "Nothing was sent and nothing was changed. Sync again when the app can give the token."
    switch error {
    case .cancelled: self = .cancelled()
    case .late(let limit):
      self.init(
        .sessionUnavailable, "The app gave no session token within \(limit). \(remedy)")
    case .thrown(let cause as any TellableError):
      self.init(
        cause.mayPass ? .tryAgain : .sessionUnavailable,
        "There is no session token. \(cause.message) Unsent changes are kept.", cause: cause)
    case .thrown(let cause):
      self.init(
        .sessionUnavailable,
        "The app could not give the session token: its closure threw \(type(of: cause)). \(remedy)",
        cause: cause)
    }
  }

  /// The end of a run that was cancelled between or within two requests.
  static func cancelled(cause: (any Error)? = nil) -> SyncError {
    SyncError(
      .cancelled,
      "The run was cancelled. The work of a sync until then is kept; the next sync goes on from there.",
      cause: cause)
  }

  /// The run's error for a request that cannot be made: the schema or the options have a name that
  /// no server takes.
  init(_ error: RequestError) { self.init(.configuration, error.message, cause: error) }

  /// The run's error for a filter that cannot be asked for.
  init(_ error: FilterError) { self.init(.configuration, error.description, cause: error) }

  /// The run's error for a server that is not described as it has to be.
  init(_ error: ParseServerError) { self.init(.configuration, error.message, cause: error) }

  /// The run's error for a refusal that every further request would also get; nil for any other.
  init?(endingRun error: ParseError) {
    let code: Code
    switch error.meaning {
    case .loginNeeded: code = .loginNeeded
    case .unauthorized: code = .unauthorized
    case .wrongURL: code = .wrongURL
    case .notParse: code = .notParseServer
    case .rateLimited, .retryLater: code = .tryAgain
    case .failed, .refused, .forbidden, .invalidName, .duplicate, .notFoundOrForbidden,
      .outcomeUnknown, .tooLarge, .malformed, .cut:
      return nil
    }
    self.init(code, error.description, cause: error)
    retryAfter = error.retryAfter
  }
}
