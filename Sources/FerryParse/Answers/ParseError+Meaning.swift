// Ferry: offline-first sync for Parse Server. MIT licence.

extension ParseError.Meaning {
  /// What a refusal with a number of Parse's means.
  static func of(code: ParseError.Code, isWrite: Bool) -> Self {
    switch code {
    case .objectNotFound: .notFoundOrForbidden
    case .sessionMissing, .invalidSessionToken: .loginNeeded
    case .connectionFailed, .requestLimitExceeded: .rateLimited
    case .duplicateValue: .duplicate
    // PostgreSQL answers 1 also to queries it can never run, so a read does not try for ever.
    case .internalServerError:
      isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
    // The server renames a role and answers -1 all the same.
    case .other: isWrite ? .outcomeUnknown : .refused
    case .timeout: isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: false)
    case .duplicateRequest: isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
    default: .refused
    }
  }

  /// What a refusal within a batch means that bears a database's code, or none.
  static func ofDriverError(isWrite: Bool) -> Self {
    isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
  }

  /// What an answer means that carries no code of Parse's.
  ///
  /// It matters whether its body is a JSON object, as all of Parse Server's own are.
  static func of(status: Int, isJSON: Bool, isWrite: Bool) -> Self {
    switch status {
    case 429: .rateLimited
    case 413, 431: .tooLarge
    case 401, 403: .unauthorized
    case 404: .wrongURL
    case 408, 500...599: isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: false)
    case 200...299: isWrite ? .outcomeUnknown : isJSON ? .malformed : .notParse
    case 400...499 where isJSON: .refused
    default: .notParse
    }
  }
}
