// Ferry: offline-first sync for Parse Server. MIT licence.

extension ParseError.Meaning {
  /// The meaning of a refusal with one of Parse Server's codes.
  static func of(code: ParseError.Code, isWrite: Bool) -> Self {
    switch code {
    case .objectNotFound: .notFoundOrForbidden
    case .sessionMissing, .invalidSessionToken: .loginNeeded
    case .connectionFailed, .requestLimitExceeded: .rateLimited
    case .duplicateValue: .duplicate
    // PostgreSQL also answers 1 to queries that it can never run, so a read is not repeated
    // forever.
    case .internalServerError:
      isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
    // The server renames a role and answers -1 all the same.
    case .other: isWrite ? .outcomeUnknown : .refused
    case .timeout: isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: false)
    case .duplicateRequest: isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
    default: .refused
    }
  }

  /// The meaning of a refusal within a batch that has a database's code, or no code.
  static func ofDriverError(isWrite: Bool) -> Self {
    isWrite ? .outcomeUnknown : .retryLater(boundedAttempts: true)
  }

  /// The meaning of an answer that begins as JSON and cannot be read, because it was cut.
  ///
  /// Some statuses suffice to decide; otherwise the same request may succeed later.
  static func ofCut(status: Int, isWrite: Bool) -> Self {
    let meaning = of(status: status, isJSON: true, isWrite: isWrite)
    return switch meaning {
    case .rateLimited, .tooLarge, .outcomeUnknown, .retryLater: meaning
    default: isWrite ? .outcomeUnknown : .malformed
    }
  }

  /// The meaning of an answer without a code of Parse Server.
  ///
  /// It depends on whether the body is a JSON object, as all answers of Parse Server are.
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
