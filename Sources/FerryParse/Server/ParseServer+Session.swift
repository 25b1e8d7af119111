// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryHTTP

extension ParseServer {
  /// The same server in one session, to its end; the closures for a token are not called.
  ///
  /// It is for programs that have the token at hand, such as a tool that reads it from a file.
  ///
  /// - Parameter token: The token of the session; nil for nobody.
  /// - Returns: The server in that session.
  public func inSession(of token: Secret?) -> ParseServer {
    var server = self
    server.sessionToken = nil
    server.renewSession = nil
    server.session = RequestSession { token }
    return server
  }

  /// The same server in the session of this moment, for one run.
  ///
  /// The calling thread waits for the app, so call it on a thread of your own.
  package func inPresentSession(
    within limit: Duration, cancellation: CancellationSignal
  ) throws(AppAnswerError) -> ParseServer {
    guard let sessionToken else { return inSession(of: session.token) }
    var server = inSession(
      of: try AppAnswer.wait(within: limit, cancellation: cancellation, for: sessionToken))
    server.renewSession = renewSession
    return server
  }

  /// Asks the app once for a new token, and lets all later requests of the run carry it.
  ///
  /// - Returns: Whether there is one; false where the server had refused none, and where the app gives the same again.
  package func renewPresentSession(
    within limit: Duration, cancellation: CancellationSignal
  ) throws(AppAnswerError) -> Bool {
    guard let renewSession, let ended = session.token else { return false }
    let renewed = try AppAnswer.wait(within: limit, cancellation: cancellation) {
      try await renewSession(ended)
    }
    guard let renewed, renewed != ended else { return false }
    session.go(onWith: renewed)
    return true
  }
}
