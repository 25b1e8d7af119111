// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

extension App {
  func signUp(_ name: String) async throws -> Step? {
    guard let password = await secret("Password for \(name): "), let again = await secret("Again: ")
    else { return .quit }
    if password != again { throw Problem("The two passwords differ, so no account was made.") }
    try await accounts.signUp(username: name, password: password)
    return .reopen
  }

  func logIn(_ name: String) async throws -> Step? {
    guard let password = await secret("Password of \(name): ") else { return .quit }
    try await accounts.logIn(username: name, password: password)
    return .reopen
  }

  /// Logs out, and asks what becomes of notes that the server does not have.
  func logOut(of notebook: Notebook) async throws -> Step? {
    var (policy, evenOffline) = (LogOutPolicy.refuse, false)
    while true {
      do throws(AccountError) {
        try await accounts.logOut(of: notebook.store, unsent: policy, evenOffline: evenOffline)
        return .reopen
      } catch {
        await screen.say(error.message)
        switch error.code {
        case .unsent:
          let answer = await answer("keep them for your next log-in, discard them, or stay? ")
          guard let choice = LogOutPolicy(rawValue: answer), choice != .refuse else { return nil }
          policy = choice
        case .tryAgain where !evenOffline:
          let answer = await answer("log out on this device all the same (yes or no)? ")
          guard answer == "yes" else { return nil }
          evenOffline = true
        default: throw error
        }
      }
    }
  }

  /// An answer of the person; without a terminal, the next line is a command, and nobody answers.
  private func answer(_ question: String) async -> String {
    guard terminal.isTerminal else { return "" }
    await screen.prompt(question)
    return await terminal.line() ?? ""
  }

  private func secret(_ question: String) async -> Secret? {
    await terminal.hiddenLine { await screen.prompt(question) }.map { Secret($0) }
  }
}
