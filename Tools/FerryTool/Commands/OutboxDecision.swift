// Ferry: offline-first sync for Parse Server. MIT licence.

import Ferry

/// `ferry outbox retry`, `discard`, `counted` and `not-counted`: one change, those of some classes, or all.
struct OutboxDecision {
  var session: Session

  /// Lets the next sync send changes again.
  func retry() throws(Failure) -> ExitCode {
    let count = try decide(
      one: { store, change throws(StoreError) in
        try store.retryChange(of: change.className, localID: change.localID) ? 1 : 0
      },
      all: { store, className throws(StoreError) in try store.retryChanges(of: className) })
    session.console.message(JSONMessage("retried", ["changes": .count(count)]))
    session.console.result(
      count == 0
        ? "No such change is parked or pauses, so nothing was changed. A retry does not send one that waits for "
          + "\"counted\" or \"not-counted\". \"ferry outbox\" says why a change waits."
        : "The next sync sends \(count.counted("change", "changes")) again.")
    return .success
  }

  /// Takes changes back.
  func discard() throws(Failure) -> ExitCode {
    let count = try decide(
      one: { store, change throws(StoreError) in
        try store.write { transaction throws(StoreError) in
          try transaction.discardChange(of: change.className, localID: change.localID) ? 1 : 0
        }
      },
      all: { store, className throws(StoreError) in
        try store.write { transaction throws(StoreError) in
          try transaction.discardChanges(of: className)
        }
      })
    session.console.message(JSONMessage("discarded", ["changes": .count(count)]))
    session.console.result(
      count == 0
        ? "Nothing was discarded: there is no unsent change whose outcome is known. \"ferry outbox\" lists the unsent "
          + "changes, and says why each waits."
        : "Discarded \(count.counted("change", "changes")). The rows hold what the server had, as far as the store knows; the "
          + "next sync brings the rest.")
    return .success
  }

  /// Says whether the server has carried out additions whose answers were lost.
  func decide(counted: Bool) throws(Failure) -> ExitCode {
    let count = try decide(
      one: { store, change throws(StoreError) in
        try store.decideIncrements(
          of: change.className, localID: change.localID, counted: counted) ? 1 : 0
      },
      all: { store, className throws(StoreError) in
        let changes = try store.inspect { view throws(StoreError) in
          try view.pendingChanges(of: className)
        }
        var count = 0
        for change in changes where change.state == .parked {
          let isDecided = try store.decideIncrements(
            of: change.className, localID: change.localID, counted: counted)
          if isDecided { count += 1 }
        }
        return count
      })
    if count == 0, session.command.has(.id) { throw Failure(usage: Self.noSuchAddition) }
    session.console.message(JSONMessage("decided", ["changes": .count(count)]))
    session.console.result(
      count == 0
        ? Self.noSuchAddition
        : "\(count.counted("change", "changes")) \(counted ? "counted" : "did not count"). The next sync brings the server's "
          + "value\(counted ? "." : " and adds to it again.")")
    return .success
  }

  private static let noSuchAddition =
    "No such change of a number waits for this decision, so nothing was changed. After a lost answer, a sync waits for two "
    + "minutes, because the request may still be at work. Then it finds the outcome out, or parks the change and asks. "
    + "\"ferry outbox\" says why a change waits."

  /// Does something with what the flags name.
  ///
  /// - Returns: The number of changes that it concerned.
  private func decide(
    one: (SQLiteStore, PendingChange) throws(StoreError) -> Int,
    all: (SQLiteStore, String?) throws(StoreError) -> Int
  ) throws(Failure) -> Int {
    let configuration = try session.configuration()
    let command = session.command
    guard command.has(.all) != command.has(.id) else {
      throw Failure(
        usage:
          "ferry outbox \(command.operand ?? "") takes --class NAME --id ID for one change, or --all for all of "
          + "them, or --all --class NAME for those of a class. Nothing was changed.")
    }
    if command.has(.id) {
      let name = try command.namedRecord(configuration)
      guard session.hasStore else { throw name.nothingUnsent }
      let store = try session.writableStore(configuration, in: session.workspace)
      let changes = try inStore { () throws(StoreError) in
        try store.inspect { view throws(StoreError) in try view.pendingChanges(of: name) }
      }
      let change = try name.only(changes)
      return try inStore { () throws(StoreError) in try one(store, change) }
    }
    let names = try session.classNames(configuration)
    guard session.hasStore else { return 0 }
    let store = try session.writableStore(configuration, in: session.workspace)
    return try inStore { () throws(StoreError) in
      guard command.has(.className) else { return try all(store, nil) }
      var count = 0
      for name in names { count += try all(store, name) }
      return count
    }
  }

  private func inStore<Result>(
    _ body: () throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw Failure(error) }
  }
}
