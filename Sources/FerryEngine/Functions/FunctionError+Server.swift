// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

extension FunctionError {
  private static let notRun = "The function did not run."
  private static let mayHaveRun =
    "The function may have run. Look at what it changes before you call it again."

  /// The error of a refusal.
  init(_ error: ParseError, of function: String) {
    let (code, rest): (Code, String) =
      switch error.meaning {
      case _ where error.saysNoFunction:
        (
          .noFunction,
          "\(Self.notRun) Define \(function.debugDescription) in the server's Cloud Code, or correct the name."
        )
      case .loginNeeded:
        (.loginNeeded, "Log in, and call it again. A sync renews the session of an anonymous user.")
      case .rateLimited, .retryLater, .failed: (.tryAgain, "\(Self.notRun) Call it again later.")
      case .outcomeUnknown, .cut, .malformed: (.outcomeUnknown, Self.mayHaveRun)
      case .unauthorized, .wrongURL, .notParse:
        (
          .configuration,
          "\(Self.notRun) Check the address, the application id and the keys."
        )
      case .tooLarge: (.refused, "\(Self.notRun) Send less at once.")
      case .refused, .forbidden, .invalidName, .duplicate, .notFoundOrForbidden:
        (.refused, "The function ended with it. Its words say why, or the server's log.")
      }
    self.init(code, "\(error.happeningInFull) \(rest)", refusal: error, cause: error)
  }

  /// The error of a call without an answer.
  init(_ error: HTTPError) {
    let isOpen = error.outcome == .unknown
    let code: Code =
      switch error.code {
      case _ where isOpen: .outcomeUnknown
      case .cancelled: .cancelled
      case .invalidURL, .invalidHeader, .cleartextRefused, .redirectRefused: .configuration
      default: .tryAgain
      }
    self.init(
      code, "\(error.message) \(isOpen ? Self.mayHaveRun : Self.notRun)", cause: error)
  }

  /// The error of an app that gave no token.
  init(_ error: AppAnswerError) {
    switch error {
    case .cancelled: self.init(.cancelled, "The call was cancelled. Nothing was sent.")
    case .late(let limit):
      self.init(
        .sessionUnavailable,
        "The app gave no session token within \(limit). Nothing was sent. Call again when it can.")
    case .thrown(let cause):
      let words =
        (cause as? any TellableError)?.message ?? "The app's closure threw \(type(of: cause))."
      self.init(
        .sessionUnavailable,
        "There is no session token. \(words) Nothing was sent.", cause: cause)
    }
  }

  /// The error of parameters without a form on the wire.
  init(unsendable error: any Error) {
    self.init(
      .invalidParameters,
      "The parameters cannot be sent. \(Self.words(of: error)) Nothing was sent.", cause: error)
  }

  /// The error of a result of another type.
  init(unreadable error: any Error, of function: String) {
    self.init(
      .unexpectedResult,
      "The function \(function.debugDescription) ran, and its result has another form. \(Self.words(of: error)) "
        + "Ask for another type, or mend the function.", cause: error)
  }

  private static func words(of error: any Error) -> String {
    let context: (path: [any CodingKey], words: String)? =
      switch error {
      case EncodingError.invalidValue(_, let context):
        (context.codingPath, context.debugDescription)
      case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        (context.codingPath, context.debugDescription)
      default: nil
      }
    guard let context else { return "\(type(of: error)) was thrown." }
    let place = context.path.map(\.stringValue).joined(separator: ".")
    return place.isEmpty ? context.words : "At \(place): \(context.words)"
  }
}
