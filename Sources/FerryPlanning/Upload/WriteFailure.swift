// Ferry: offline-first sync for Parse Server. MIT licence.

/// Why a write did not succeed, as far as its answer shows.
package struct WriteFailure: Error, Sendable {
  package var meaning: RefusalMeaning
  /// The server's number for its refusal.
  package var code: Int?
  /// The failure as sentences.
  package var message: String
  /// The refusal itself, for the app.
  package var cause: (any Error)?

  package init(
    _ meaning: RefusalMeaning, code: Int? = nil, _ message: String, cause: (any Error)? = nil
  ) {
    self.meaning = meaning
    self.code = code
    self.message = message
    self.cause = cause
  }

  /// The refusal that parks the change.
  var refusal: Refusal { Refusal(reason: .refused, code: code, message: message) }
}
