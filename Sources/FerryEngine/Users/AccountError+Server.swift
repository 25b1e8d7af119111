// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryParse
import FerryPlanning

extension AccountError {
  /// The error of a refusal.
  init(_ error: ParseError, to request: AccountRequest) {
    let words = error.serverText.isEmpty ? "" : " It said: “\(error.serverText)”."
    let (code, happened, remedy) =
      Self.meaning(ofCode: error.code, to: request) ?? Self.meaning(of: error, to: request)
    // With an outcome that is unknown, the remedy says what may have happened.
    let isMade = code == .emailNotVerified && request == .signUp
    let nothingDone =
      isMade
      ? " The account was made, but the user was not logged in."
      : remedy == request.lookFirst ? "" : " \(request.nothingDone)"
    self.init(code, "\(happened) (\(error.origin)).\(words)\(nothingDone) \(remedy)", cause: error)
  }

  private typealias Meaning = (code: Code, happened: String, remedy: String)

  /// The codes of Parse Server that say which part of an account is wrong.
  private static func meaning(
    ofCode code: ParseError.Code?, to request: AccountRequest
  ) -> Meaning? {
    switch code {
    case .objectNotFound? where request == .passwordReset:
      (.invalidInput, "The server knows no user with this e-mail address", "Correct it.")
    case .objectNotFound? where request == .logIn:
      (
        .wrongPassword, "The server knows no user with this name and password",
        "Correct them, or sign up."
      )
    case .usernameTaken?:
      (.usernameTaken, "Another user has this name", "Choose another name, or log in.")
    case .emailTaken?:
      (.emailTaken, "Another user has this e-mail address", "Choose another address, or log in.")
    case .emailNotVerified?:
      (
        .emailNotVerified, "The user has not confirmed the e-mail address yet",
        "Follow the link in the server's mail, and log in again."
      )
    case .accountAlreadyLinked?:
      (.alreadyLinked, "Another user is linked to this account", "Log in as that user.")
    case .usernameMissing?, .passwordMissing?, .invalidEmailAddress?, .emailMissing?,
      .invalidValue?, .validationError?:
      (
        .invalidInput, "The server does not take the name, the password or the e-mail address",
        "Correct them."
      )
    case .unsupportedService?:
      (
        .refused, "The server does not take accounts of this provider",
        "Set the provider up in the server's configuration."
      )
    default: nil
    }
  }

  private static func meaning(of error: ParseError, to request: AccountRequest) -> Meaning {
    switch error.meaning {
    case .loginNeeded: (.sessionEnded, "The session has ended", "Log in again.")
    case .rateLimited, .retryLater, .failed:
      (.tryAgain, "The server cannot answer now", "Try again later.")
    case .outcomeUnknown where error.code == .internalServerError && request == .passwordReset:
      (.refused, "The server cannot send mail", "Set up mail in the server's configuration.")
    case .outcomeUnknown, .cut:
      (
        request.isOpenWithoutAnswer ? .outcomeUnknown : .tryAgain,
        "The server did not say whether it did what was asked", request.lookFirst
      )
    case .unauthorized, .wrongURL, .notParse:
      (
        .configuration, "The server does not answer as a Parse Server of this application",
        "Check the address, the application id and the keys."
      )
    case .refused, .forbidden, .invalidName, .duplicate, .notFoundOrForbidden, .tooLarge,
      .malformed:
      (.refused, "The server refused the request", "Look at the server's log.")
    }
  }

  /// The error of an exchange without an answer.
  init(_ error: HTTPError, to request: AccountRequest) {
    let isOpen = error.outcome == .unknown && request.isOpenWithoutAnswer
    let rest = error.outcome == .unknown ? request.lookFirst : request.nothingDone
    let code: Code =
      switch error.code {
      case _ where isOpen: .outcomeUnknown
      case .cancelled: .cancelled
      case .invalidURL, .invalidHeader, .cleartextRefused, .redirectRefused: .configuration
      default: .tryAgain
      }
    self.init(code, "\(error.message) \(rest)", cause: error)
  }
}
