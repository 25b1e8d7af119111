// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryHTTP
import FerryModel
import FerryParse

/// Sends requests about accounts, and reads their answers; it keeps nothing.
///
/// It blocks the calling thread.
struct AccountExchange {
  let server: ParseServer
  let transport: any HTTPTransport
  let limits: HTTPLimits
  let cancellation: CancellationSignal

  /// The user whom the answer to a request describes.
  ///
  /// - Parameters:
  ///   - request: The kind of the request.
  ///   - session: The session that the request is in.
  ///   - secrets: The secrets in the body; no error repeats words of the server that may contain one.
  ///   - make: Makes the request.
  /// - Returns: The user.
  /// - Throws: `AccountError`.
  func user(
    _ request: AccountRequest, in session: Secret? = nil, hiding secrets: [Secret] = [],
    _ make: (ParseRequests) -> HTTPRequest
  ) throws(AccountError) -> ParseUser {
    let response = try answer(to: request, make(requests(in: session)))
    do {
      return try ParseResponses().user(response, to: request == .fetchUser ? .read : .write)
    } catch {
      throw AccountError(error.withholding(secrets), to: request)
    }
  }

  /// Gives an account a name and a password; the server answers with the token of a new session.
  func upgrade(
    _ user: ParseUser, _ fields: [String: FerryModel.Value], hiding password: Secret
  ) throws(AccountError) -> Secret? {
    let request: HTTPRequest
    do {
      request = try requests(in: user.sessionToken).update(
        userID: user.objectID, fields)
    } catch {
      throw AccountError(.refused, error.message, cause: error)
    }
    let response = try answer(to: .upgrade, request)
    do {
      return try ParseResponses().renewedSession(response)
    } catch {
      throw AccountError(error.withholding([password]), to: .upgrade)
    }
  }

  /// Ends a session; one that has ended already is no error.
  func end(_ session: Secret) throws(AccountError) {
    do {
      try done(.logOut, requests(in: session).logout())
    } catch  where error.code == .sessionEnded {
    } catch {
      throw error
    }
  }

  /// Has the server send a mail with which the user sets a new password.
  func requestPasswordReset(_ email: String) throws(AccountError) {
    try done(.passwordReset, requests(in: nil).passwordReset(email: email))
  }

  private func requests(in session: Secret?) -> ParseRequests {
    ParseRequests(server.inSession(of: session), limits: limits)
  }

  /// Takes any success for an answer.
  private func done(_ request: AccountRequest, _ message: HTTPRequest) throws(AccountError) {
    let response = try answer(to: request, message)
    do {
      try ParseResponses().checkDone(response)
    } catch {
      throw AccountError(error, to: request)
    }
  }

  private func answer(
    to request: AccountRequest, _ message: HTTPRequest
  ) throws(AccountError) -> HTTPResponse {
    do {
      return try transport.send(message, cancellation: cancellation)
    } catch {
      throw AccountError(error, to: request)
    }
  }
}

extension ParseError {
  /// The same refusal, without the server's words where these may repeat the body of the request.
  ///
  /// A server, or something in between, writes a body in many ways: quoted, escaped or cut. So a part of a secret is enough
  /// to withhold the words, and so is a brace.
  fileprivate func withholding(_ secrets: [Secret]) -> ParseError {
    let mayRepeat =
      !secrets.isEmpty
      && (serverText.contains("{")
        || secrets.contains { !$0.text.isEmpty && serverText.contains($0.text.prefix(4)) })
    guard mayRepeat else { return self }
    var refusal = self
    refusal.serverText = ""
    return refusal
  }
}
