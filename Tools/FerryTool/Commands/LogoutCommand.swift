// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry logout`: ends the session; the fate of unsent changes is never assumed.
struct LogoutCommand {
  var session: Session

  func run() async throws(Failure) -> ExitCode {
    let configuration = try session.configuration()
    let accounts = try session.accounts(configuration)
    let store = try store(configuration)
    let (policy, offline) = (policy, session.command.has(.offline))
    let (user, report) = try await session.asking {
      () async throws(AccountError) -> (ParseUser?, LogOutReport) in
      let user = try await accounts.user()
      guard let store else {
        try await accounts.logOut(evenOffline: offline)
        return (user, LogOutReport())
      }
      return (
        user, try await accounts.logOut(of: store, unsent: policy, evenOffline: offline)
      )
    }
    session.console.message(
      JSONMessage(
        "logged_out", ["kept": .count(report.kept), "discarded": .count(report.discarded)]
      ).with(user))
    session.console.result(
      user.map { "\($0.words) is logged out.\(Self.fate(report))" }
        ?? "Nobody is logged in, so nothing was done.")
    return policy == .discard && report.kept > 0 ? .partial : .success
  }

  private var policy: LogOutPolicy {
    session.command.value(.unsent).flatMap(LogOutPolicy.init) ?? .refuse
  }

  /// The folder's store, opened for writing unless the log-out is refused with unsent changes; nil if there is none.
  private func store(_ configuration: SyncConfiguration) throws(Failure) -> SQLiteStore? {
    guard session.hasStore else { return nil }
    guard policy == .refuse else {
      return try session.writableStore(configuration, in: session.workspace)
    }
    do {
      return try SQLiteStore(reading: session.workspace.store, schema: configuration.schema)
    } catch {
      throw Failure(error)
    }
  }

  private static func fate(_ report: LogOutReport) -> String {
    var words = ""
    if report.discarded > 0 {
      words += " Discarded \(report.discarded.counted("unsent change", "unsent changes"))."
    }
    if report.kept > 0 {
      words +=
        " The store keeps \(report.kept.counted("unsent change", "unsent changes")); a sync after the next login "
        + "of this user sends what is kept."
    }
    return words
  }
}
