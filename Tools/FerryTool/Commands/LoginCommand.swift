// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry
import Foundation

/// `ferry login`: logs a user in, and keeps the session for the commands that follow.
struct LoginCommand {
  var session: Session

  private var command: ParsedCommand { session.command }

  func run() async throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let accounts = try session.accounts(configuration)
    let logIn = try logIn()
    let earlier = try await session.asking { () async throws(AccountError) in
      try await accounts.user()
    }
    let user = try await session.asking { () async throws(AccountError) in
      try await logIn(accounts, earlier)
    }
    if user.objectID != earlier?.objectID {
      try await refuseOtherOwner(user, accounts, configuration)
    }
    session.console.message(JSONMessage("logged_in", [:]).with(user))
    session.console.result("\(user.words) is logged in.")
    return .success
  }

  /// The request that the command line means; the password is read now.
  private func logIn() throws(Failure)
    -> @Sendable (ParseAccounts, _ earlier: ParseUser?) async throws(AccountError) -> ParseUser
  {
    guard command.has(.signUp) || !command.has(.email) else {
      throw Failure(usage: "--email goes with --sign-up. Nothing was sent.")
    }
    guard let name = command.operand else {
      guard command.has(.anonymous), !command.has(.signUp) else {
        throw Failure(
          usage:
            "ferry login takes the NAME of a user, as in ferry login anna, or --anonymous. Nothing was sent."
        )
      }
      return { accounts, _ async throws(AccountError) in try await accounts.logInAnonymously() }
    }
    guard !command.has(.anonymous) else {
      throw Failure(
        usage:
          "An anonymous user has no NAME. Nothing was sent. Leave out the NAME, or --anonymous.")
    }
    let password = try password(of: name)
    guard command.has(.signUp) else {
      return { accounts, _ async throws(AccountError) in
        try await accounts.logIn(username: name, password: password)
      }
    }
    let email = command.value(.email)
    return { accounts, earlier async throws(AccountError) in
      guard earlier?.isAnonymous == true else {
        return try await accounts.signUp(username: name, password: password, email: email)
      }
      return try await accounts.upgrade(username: name, password: password, email: email)
    }
  }

  private func password(of name: String) throws(Failure) -> Secret {
    guard let path = command.value(.passwordFile) else {
      return try PasswordPrompt(
        question: "Password of \(name): ", interruption: session.interruption
      )
      .password(repeated: command.has(.signUp))
    }
    let file = KeyFile(ofPassword: path)
    if let warning = file.warning { session.console.warning(warning) }
    return Secret(try file.text())
  }

  /// Logs a user out again who is not the owner of the folder's store: edits made then would be the owner's.
  private func refuseOtherOwner(
    _ user: ParseUser, _ accounts: ParseAccounts, _ configuration: SyncConfiguration
  ) async throws(Failure) {
    let server = accounts.server
    let refusal = try session.inspect(configuration) { store throws(StoreError) in
      try store.refusal(of: server, asUser: .user(user.objectID))
    }
    guard let refusal = refusal ?? nil, refusal.code == .otherUser, refusal.adoption == nil else {
      return
    }
    try await session.asking { () async throws(AccountError) in
      try await accounts.logOut(evenOffline: true)
    }
    throw Failure(
      .noPermission, refusal.code.rawValue,
      "The store of this folder belongs to another user, so \(user.words) was logged out again. The store is as it was. "
        + "Give each user a folder: --directory DIR")
  }
}
