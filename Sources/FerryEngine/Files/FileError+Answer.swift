// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse
import FerryPlanning

extension FileError {
  /// The error of a request without the file in its answer.
  init(_ result: Result<HTTPResponse, HTTPError>, _ question: FileQuestion) {
    switch result {
    case .success(let answer) where [200, 206].contains(answer.status):
      self.init(.tryAgain, Self.interrupted(question))
    case .success(let answer): self.init(answer, question)
    case .failure(let error): self.init(error, question)
    }
  }

  private init(_ answer: HTTPResponse, _ question: FileQuestion) {
    let name = question.file.shownName
    let refusal = ParseError(answer, to: .read, reader: JSONReader())
    let kept = "The rows are as they were."
    switch (answer.status, refusal.meaning) {
    case (_, .loginNeeded) where question.address.isOwn:
      self.init(
        .loginNeeded,
        "The server does not accept the session, so it does not give the file \(name). \(kept) Log in, and ask again.",
        cause: refusal)
    case (404, _), (410, _):
      self.init(
        .notFound,
        "\(question.server) has no file \(name) (HTTP \(answer.status)). \(kept) Sync: the record may have another file by now.",
        cause: refusal)
    case (_, .rateLimited), (_, .retryLater), (_, .failed):
      self.init(
        .tryAgain,
        "\(question.server) could not give the file \(name) now (\(refusal.origin)). \(kept) Ask again later.",
        cause: refusal)
    case (400...499, _):
      self.init(
        .forbidden,
        "\(question.server) refused to give the file \(name) (\(refusal.origin)). \(kept) Make sure that this user may read "
          + "files. If the address has expired, sync, and ask again.", cause: refusal)
    default:
      self = .notTheFile(question, "answered with HTTP \(answer.status) instead of it")
    }
    retryAfter = refusal.retryAfter
  }

  private init(_ error: HTTPError, _ question: FileQuestion) {
    let code: Code =
      switch error.code {
      case .couldNotResolve, .couldNotConnect, .tls: .unreachable
      case .timeout, .connectionLost: .tryAgain
      case .invalidURL, .invalidHeader, .cleartextRefused: .noAddress
      case .protocolError, .tooLarge, .tooManyHeaders, .redirectRefused: .notTheFile
      case .localFailure: .localStorage
      case .cancelled: .cancelled
      default: .tryAgain
      }
    guard code != .cancelled else {
      self = .cancelled
      return
    }
    let words = code == .tryAgain ? Self.interrupted(question) : error.message
    self.init(code, words, cause: error)
  }

  private static func interrupted(_ question: FileQuestion) -> String {
    "The file \(question.file.shownName) did not come to its end from \(question.server). Ferry keeps what had come, as far as "
      + "it can go on from there. Ask again later."
  }

  /// The error of an app that gave no session token; its own error may contain a secret.
  init(_ error: AppAnswerError) {
    switch error {
    case .cancelled: self = .cancelled
    case .late, .thrown:
      self.init(
        .sessionUnavailable,
        "The app gave no session token for the file in time, or could not. Nothing was sent. Ask again when it can."
      )
    }
  }

  /// Whether the bytes that have come are of no use for a later request.
  var losesPart: Bool {
    switch code {
    case .cancelled, .tryAgain, .unreachable, .loginNeeded, .sessionUnavailable, .localStorage:
      false
    default: true
    }
  }
}
