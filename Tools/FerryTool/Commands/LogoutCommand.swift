// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry logout`: ends the session; what becomes of unsent changes is never assumed.
struct LogoutCommand {
  /// The fate of unsent changes.
  enum Unsent: String, CaseIterable {
    case keep, discard
  }

  var session: Session

  func run() async throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let accounts = try session.accounts(configuration)
    guard
      let user = try await session.asking({ () async throws(AccountError) in
        try await accounts.user()
      })
    else {
      session.console.message(JSONMessage("logged_out", [:]))
      session.console.result("Nobody is logged in, so nothing was done.")
      return .success
    }
    let unsent = try unsentChanges(of: user, configuration)
    let choice = session.command.value(.unsent).flatMap(Unsent.init)
    guard unsent == 0 || choice != nil else { throw Self.refusal(unsent, user) }
    let offline = session.command.has(.offline)
    try await session.asking { () async throws(AccountError) in
      try await accounts.logOut(evenOffline: offline)
    }
    // Not before: a log-out that fails leaves the changes to the user who is still logged in.
    let isDiscarding = choice == .discard && unsent > 0
    if isDiscarding { try discard(configuration) }
    session.console.message(
      JSONMessage(
        "logged_out", ["unsent": .count(unsent), "discarded": .boolean(isDiscarding)]
      ).with(user))
    session.console.result("\(user.words) is logged out." + Self.fate(unsent, isDiscarding))
    return .success
  }

  /// The number of unsent changes; none in a store that belongs to another user, or to nobody.
  private func unsentChanges(
    of user: ParseUser, _ configuration: SyncConfiguration
  ) throws(Failure) -> Int {
    let server = try configuration.serverWithoutSession(in: session.workspace, warn: { _ in })
    return try session.inspect(configuration) { store throws(StoreError) in
      guard try store.refusal(of: server, asUser: .user(user.objectID)) == nil else { return 0 }
      return try store.pendingCounts().values.reduce(0, +)
    } ?? 0
  }

  private func discard(_ configuration: SyncConfiguration) throws(Failure) {
    let store = try session.writableStore(configuration, in: session.workspace)
    do {
      try store.write { transaction throws(StoreError) in
        _ = try transaction.discardChanges(of: nil)
      }
    } catch {
      throw Failure(error)
    }
  }

  private static func fate(_ unsent: Int, _ isDiscarding: Bool) -> String {
    guard unsent > 0 else { return "" }
    let changes = unsent.counted("unsent change", "unsent changes")
    return isDiscarding
      ? " \(changes) discarded."
      : " \(changes) kept in the store; a sync after the next login sends them."
  }

  private static func refusal(_ unsent: Int, _ user: ParseUser) -> Failure {
    Failure(
      .usage, "unsent",
      "\(unsent.counted("change was", "changes were")) never sent, so \(user.words) stays logged in. Nothing was done. "
        + "Send them with ferry sync; or keep them in the store for the next login of this user with --unsent keep; or "
        + "take them back with --unsent discard.")
  }
}
