// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
public import FerryStore

extension ParseAccounts {
  /// Ends the session on the server, and forgets the user on this device.
  ///
  /// Unsent changes stay in the store. `logOut(of:unsent:evenOffline:)` asks about them, and makes sure that a store which
  /// has never exchanged data stays the user's; prefer it where there is a store.
  ///
  /// - Parameter evenOffline: Whether to forget the user also where the server does not answer. Its session then goes on
  ///   until it expires, though nobody here has the token.
  /// - Throws: `AccountError` where the server was not reached; then the user stays logged in. It is no error if nobody
  ///   is logged in, or the session has ended already.
  public func logOut(evenOffline: Bool = false) async throws(AccountError) {
    try await perform { account throws(AccountError) in
      try account.logOut(
        of: try account.credentials().user?.sessionToken, evenOffline: evenOffline)
    }
  }

  /// Logs the user of a store out, with a choice about unsent changes.
  ///
  /// ```swift
  /// do {
  ///   try await accounts.logOut(of: store, unsent: .refuse)
  /// } catch where error.code == .unsent {
  ///   print("Send the changes first, or log out without them?")
  /// }
  /// ```
  ///
  /// A change that was sent, and whose outcome is unknown, is not discarded. If the app or a sync writes during the log-out,
  /// nothing is discarded. A store with unsent changes that never exchanged data becomes the user's. Changes of another user's
  /// store, and of one with data of nobody, are neither counted nor discarded.
  ///
  /// - Parameters:
  ///   - store: The user's store.
  ///   - policy: The fate of unsent changes.
  ///   - evenOffline: Whether to forget the user also where the server does not answer.
  /// - Returns: The numbers of changes that were kept and discarded.
  /// - Throws: `AccountError`, with code `unsent` where the policy refuses. The user is still logged in after every error,
  ///   but for one with code `localStorage` that says otherwise: the changes could not be discarded, and stay.
  @discardableResult
  public func logOut(
    of store: any Store, unsent policy: LogOutPolicy, evenOffline: Bool = false
  ) async throws(AccountError) -> LogOutReport {
    try await perform { account throws(AccountError) in
      guard let user = try account.credentials().user else { return LogOutReport() }
      // Another process may log the next user in meanwhile.
      let session = user.sessionToken
      let before = try account.unsent(of: user, in: store)
      if policy == .refuse, before.count > 0 { throw AccountError(unsent: before.count) }
      if before.count > 0 { try account.bind(store, to: user) }
      try account.logOut(of: session, evenOffline: evenOffline)
      guard policy == .discard, before.count > 0 else { return LogOutReport(kept: before.count) }
      let discarded = try account.discardAll(in: store, ifLast: before.last)
      return LogOutReport(
        kept: try account.unsent(of: user, in: store).count, discarded: discarded)
    }
  }
}

extension AccountWork {
  fileprivate func logOut(of session: Secret?, evenOffline: Bool) throws(AccountError) {
    if let session {
      do throws(AccountError) {
        try exchange.end(session)
      } catch {
        guard evenOffline, error.code != .cancelled else { throw error }
      }
    }
    try forgetUser(of: session)
  }

  /// The number of unsent changes that are the user's, and the last change of the store.
  fileprivate func unsent(
    of user: ParseUser, in store: any Store
  ) throws(AccountError) -> (count: Int, last: HistoryToken) {
    do {
      return try store.inspect { view throws(StoreError) in
        let refusal = try view.refusal(of: exchange.server, asUser: .user(user.objectID))
        let count = refusal == nil ? try view.pendingCounts().values.reduce(0, +) : 0
        return (count, try view.rows.lastToken())
      }
    } catch {
      throw AccountError(
        .localStorage, "The unsent changes cannot be counted. \(error.message)", cause: error)
    }
  }

  /// Makes a store the user's that has never exchanged data, so that neither the next user nor nobody sends what is in it.
  fileprivate func bind(_ store: any Store, to user: ParseUser) throws(AccountError) {
    let owner = StoreOwner(server: exchange.server.identity, userID: user.objectID)
    do {
      let inner = store.syncAccess.store
      let isBound = try inner.syncRead { reader throws(StoreError) in
        try reader.state(.binding)?.userID != nil
      }
      guard !isBound else { return }
      try inner.sync(.full) { transaction throws(StoreError) in
        try transaction.change(.binding) { if $0?.userID == nil { $0 = owner } }
      }
    } catch {
      throw AccountError(
        .localStorage,
        "The store cannot be kept for the user, who stays logged in. Nothing was changed. \(error.message)",
        cause: error)
    }
  }

  /// Discards the unsent changes, unless the app has made further ones since they were counted.
  fileprivate func discardAll(
    in store: any Store, ifLast last: HistoryToken
  ) throws(AccountError) -> Int {
    do {
      return try store.write { transaction throws(StoreError) in
        guard try transaction.lastToken() == last else { return 0 }
        return try transaction.discardChanges(of: nil)
      }
    } catch {
      throw AccountError(
        .localStorage,
        "The user is logged out, but the unsent changes could not be discarded, and stay. \(error.message)",
        cause: error)
    }
  }
}

extension AccountError {
  fileprivate init(unsent count: Int) {
    self.init(
      .unsent,
      "The store has \(count) unsent \(count == 1 ? "change" : "changes"), so the user stays logged in. Nothing was done. "
        + "Sync first, or choose whether to keep or to discard what is unsent.")
  }
}
