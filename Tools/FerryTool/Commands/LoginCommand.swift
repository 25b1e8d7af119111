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
    let user = try await session.asking { () async throws(AccountError) in
      try await logIn(accounts)
    }
    session.console.message(JSONMessage("logged_in", [:]).with(user))
    session.console.result("\(user.words) is logged in.")
    try warnOfOtherOwner(user, configuration)
    return .success
  }

  /// The request that the command line means; the password is read now.
  private func logIn() throws(Failure)
    -> @Sendable (ParseAccounts) async throws(AccountError) -> ParseUser
  {
    guard let name = command.operand else {
      guard command.has(.anonymous) else {
        throw Failure(
          usage: "ferry login takes the NAME of a user, or --anonymous. Nothing was sent.")
      }
      return { accounts async throws(AccountError) in try await accounts.logInAnonymously() }
    }
    guard !command.has(.anonymous) else {
      throw Failure(usage: "An anonymous user has no NAME. Nothing was sent.")
    }
    let password = try password(of: name)
    guard command.has(.signUp) else {
      return { accounts async throws(AccountError) in
        try await accounts.logIn(username: name, password: password)
      }
    }
    let email = command.value(.email)
    return { accounts async throws(AccountError) in
      try await accounts.signUp(username: name, password: password, email: email)
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

  /// A store with data of another user takes no sync of this one; better known now than then.
  private func warnOfOtherOwner(
    _ user: ParseUser, _ configuration: SyncConfiguration
  ) throws(Failure) {
    let server = try configuration.serverWithoutSession(in: session.workspace, warn: { _ in })
    let refusal = try session.inspect(configuration) { store throws(StoreError) in
      try store.refusal(of: server, asUser: .user(user.objectID))
    }
    if let refusal = refusal ?? nil { session.console.warning(Failure(refusal).message) }
  }
}
