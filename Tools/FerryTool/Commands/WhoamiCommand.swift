// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry whoami`: who is logged in, and whether the session goes on.
struct WhoamiCommand {
  var session: Session

  func run() async throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let accounts = try session.accounts(configuration)
    let offline = session.command.has(.offline)
    let user = try await session.asking { () async throws(AccountError) -> ParseUser in
      guard let user = try await accounts.user() else { throw Self.nobody }
      return offline ? user : try await accounts.fetchUser()
    }
    session.console.message(JSONMessage("user", ["checked": .boolean(!offline)]).with(user))
    session.console.result(
      "\(user.words) is logged in."
        + (offline ? " The server was not asked." : " The session goes on."))
    return .success
  }

  private static let nobody = AccountError(
    .nobody, "Nobody is logged in in this folder. Nothing was sent.")
}
