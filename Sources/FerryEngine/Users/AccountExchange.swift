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
  func user(
    _ request: AccountRequest, in session: Secret? = nil, _ make: (ParseRequests) -> HTTPRequest
  ) throws(AccountError) -> ParseUser {
    let response = try answer(to: request, make(requests(in: session)))
    do {
      return try ParseResponses().user(response, to: request == .fetchUser ? .read : .write)
    } catch {
      throw AccountError(error, to: request)
    }
  }

  /// Gives an account a name and a password; the server answers with the token of a new session.
  func upgrade(
    _ user: ParseUser, _ fields: [String: FerryModel.Value]
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
      throw AccountError(error, to: .upgrade)
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
