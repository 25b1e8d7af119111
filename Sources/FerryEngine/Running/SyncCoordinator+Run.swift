// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryPlanning
import FerryStore

extension SyncCoordinator {
  /// Syncs by itself until the task is cancelled.
  ///
  /// ```swift
  /// let syncing = Task { await coordinator.run() }
  /// // At the end of the app, or at a log-out:
  /// syncing.cancel()
  /// await syncing.value
  /// ```
  ///
  /// It syncs at once, after edits of anybody on this device, at intervals, when it is told by `wakeUp(classes:)`, and
  /// when the network comes back. A sync after an edit asks the server only for the classes that have unsent changes. After a
  /// failure it pauses, longer each time, and as long as the server asks for. If only a person can help, such as by a
  /// login, it pauses until `wakeUp(classes:)`. No failure ends it: `state()` and `observeState()` say how it stands.
  ///
  /// Call it once for a store, in one process. Where a second process does the same, one of two syncs at the same time fails
  /// with `busy`, and is tried again after a few seconds. An app may start syncs of its own meanwhile. Once its task is
  /// cancelled, it returns within half a second, between two transactions.
  ///
  /// - Parameters:
  ///   - schedule: When to sync.
  ///   - adopting: The previous owners from which the store may be taken over, as `StorePlace.adopting` names them; none
  ///     by default.
  ///   - began: Called with each sync that begins, on a thread of Swift's own; it should return at once.
  public func run(
    _ schedule: SyncSchedule = SyncSchedule(), adopting: Set<StoreAdoption> = [],
    onSync began: @escaping @Sendable (SyncRun) -> Void = { _ in }
  ) async {
    await SyncLoop(self, schedule, adopting: adopting, began).run()
  }

  /// Tells a coordinator that runs by itself to sync soon.
  ///
  /// ```swift
  /// coordinator.wakeUp()                    // the app is on the screen again
  /// coordinator.wakeUp(classes: ["Game"])   // a push said that games have changed
  /// ```
  ///
  /// Call it as often as you like: a sync begins at once, and the next one a second after its end at the earliest. During
  /// a pause after failures, it shortens the pause to 30 seconds, but not below what the server asked for. It does nothing
  /// while `run` does not run. Any thread may call it.
  ///
  /// - Parameter classes: The classes to ask for; all by default. Names of no class are left aside.
  public func wakeUp(classes: Set<String>? = nil) { wakeUps.send(WakeUp(classes: classes)) }
}
