// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryPlanning

/// An answer that is not the expected success, as far as its meaning depends on it.
package struct RefusedAnswer: Sendable {
  package enum Body: Sendable {
    /// A JSON object, as all answers of Parse Server are.
    case json
    /// JSON that ends too early.
    case cut
    /// An item of a batch with an error of the server's database, which has no code of Parse Server.
    case databaseError
    /// Anything else.
    case foreign
  }

  package var status: Int
  package var code: ParseError.Code?
  package var body: Body
  package var request: AnsweredRequest

  package init(
    status: Int, code: ParseError.Code? = nil, body: Body = .json, to request: AnsweredRequest
  ) {
    self.status = status
    self.code = code
    self.body = body
    self.request = request
  }

  /// The one table from an answer to its meaning.
  ///
  /// A code decides where there is one, else the status and the form of the body.
  package var meaning: RefusalMeaning {
    switch (code, status, body) {
    case (.objectNotFound, _, _): .notFoundOrForbidden
    case (.sessionMissing, _, _), (.invalidSessionToken, _, _): .loginNeeded
    case (.duplicateValue, _, _): .duplicate
    case (.operationForbidden, _, _): .forbidden
    case (.invalidKeyName, _, _): .invalidName
    // A batch has more requests than the server takes, or than a rate limit allows for writes.
    case (.invalidJSON, 400, _) where request.isBatch: .tooLarge
    case (.connectionFailed, 400, _) where request == .batchOfWrites: .tooLarge
    case (.requestLimitExceeded, 400, _) where request == .batchOfWrites: .tooLarge
    case (.connectionFailed, _, _), (.requestLimitExceeded, _, _): .rateLimited
    // PostgreSQL also answers 1 to queries that it can never run.
    case (.internalServerError, _, _), (.duplicateRequest, _, _): unless(.failed)
    case (.timeout, _, _): unless(.retryLater)
    // The server renames a role and answers -1 all the same.
    case (.other, _, _): unless(.refused)
    case (.some, _, _): .refused
    case (nil, _, .databaseError): unless(.failed)
    case (nil, 429, _): .rateLimited
    case (nil, 413, _), (nil, 431, _): .tooLarge
    // A server that knows no POST, such as one for files.
    case (nil, 501, .foreign): .notParse
    case (nil, 408, _), (nil, 500...599, _): unless(.retryLater)
    case (nil, _, .cut): unless(.cut)
    case (nil, 401, _), (nil, 403, _): .unauthorized
    case (nil, 404, _): .wrongURL
    case (nil, 200...299, .json): unless(.malformed)
    case (nil, 200...299, _): unless(.notParse)
    case (nil, 400...499, .json): .refused
    case (nil, _, _): .notParse
    }
  }

  /// The meaning for a read; the server may have carried out a write.
  private func unless(_ reading: RefusalMeaning) -> RefusalMeaning {
    request.isWrite ? .outcomeUnknown(mayStillRun: status == 408 || status == 504) : reading
  }
}
