// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryHTTP
import FerryModel
public import FerryParse
import Foundation

/// Signs users up, logs them in and out, and gives syncs the session of the present user.
///
/// ```swift
/// let accounts = ParseAccounts(
///   server: server, credentials: FileCredentialStore(at: folder.appending(path: "credentials.json")))
/// let user = try await accounts.logIn(username: "anna", password: Secret("correct horse"))
/// let coordinator = SyncCoordinator(store: store, server: accounts.server, staging: staging)
/// ```
///
/// One user at most is logged in on a device. The credential store keeps that user and the token of the session, so they
/// outlive the process; Ferry writes neither into a store, a configuration or a log. A store with data belongs to one
/// user: the article *Users and servers* says how to go on with another.
///
/// Each request waits on a thread of its own, never on one of Swift's pool. If the task is cancelled, its request ends
/// within half a second. Of two log-ins of different users at once, one is refused, also between processes. Ferry repeats no
/// request; where an answer is lost, the error says what may have happened. Any thread may call the methods.
///
/// The rules are those of Parse Server 9.
public final class ParseAccounts: Sendable {
  let base: ParseServer
  let keeper: any CredentialStore
  private let transport: any HTTPTransport
  private let timeout: Duration
  private let queue = OperationQueue()

  /// Describes whom to ask, and where to keep the credentials; it sends and reads nothing.
  ///
  /// - Parameters:
  ///   - server: The server; its closures for a session token are not used.
  ///   - credentials: Keeps the user who is logged in.
  ///   - transport: Carries the requests.
  ///   - timeout: How long the server may be silent, or nearly so, until a request counts as failed.
  public init(
    server: ParseServer, credentials: any CredentialStore, transport: any HTTPTransport,
    timeout: Duration = .seconds(60)
  ) {
    base = server.inSession(of: nil)
    keeper = credentials
    self.transport = DiscreetTransport(transport)
    self.timeout = timeout
    queue.name = "Ferry.ParseAccounts"
  }

  /// The server, in the session of the user who is logged in when a run begins.
  ///
  /// Give it to a `SyncCoordinator`. A run that finds the session of an anonymous user ended logs in anew; for any
  /// other user it ends with `loginNeeded`.
  public var server: ParseServer {
    var server = base
    server.sessionToken = { [self] in try await presentToken() }
    server.renewSession = { [self] ended in try await renewedToken(afterEnd: ended) }
    return server
  }

  /// Who is logged in on this device, without asking the server.
  ///
  /// - Returns: The user, as the last request showed it; nil for nobody.
  /// - Throws: `AccountError` with code `credentials` where they cannot be read.
  public func user() async throws(AccountError) -> ParseUser? {
    try await perform { account throws(AccountError) in try account.credentials().user }
  }

  /// Does work on an account on a thread of its own.
  func perform<Answer: Sendable>(
    _ work: @escaping @Sendable (AccountWork) throws(AccountError) -> Answer
  ) async throws(AccountError) -> Answer {
    let account = AccountWork(
      exchange: AccountExchange(
        server: base, transport: transport, limits: HTTPLimits(timeout: timeout),
        cancellation: CancellationSignal()),
      keeper: keeper)
    return try await queue.run(until: account.exchange.cancellation) { () throws(AccountError) in
      try work(account)
    }
  }

  private func presentToken() async throws(AccountError) -> Secret? {
    try await user()?.sessionToken
  }

  /// A token for a user whose session has ended; nil where the user has to log in.
  private func renewedToken(afterEnd ended: Secret) async throws(AccountError) -> Secret? {
    try await perform { account throws(AccountError) in
      guard let user = try account.credentials().user else { return nil }
      // The user has logged in again meanwhile.
      guard user.sessionToken == ended else { return user.sessionToken }
      return try account.renewed(user, afterEnd: ended)
    }
  }
}
