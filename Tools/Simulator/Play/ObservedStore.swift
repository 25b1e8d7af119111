// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryScenarios
import FerryStore

/// A device's store, which reports each commit by the engine and can fail.
final class ObservedStore: ForwardingStore, @unchecked Sendable {
  let inner: any SyncStore
  /// Called after each commit.
  private let committed: (StoreNotes) -> Void
  private var isKilled = false
  /// The failure of the transactions to come; nil while the store works.
  private var failure: StoreFailure?

  /// A mistake that a test of the simulator has put in.
  private let bug: SeededBug?
  /// When the present run began, by the device's clock.
  private var runBegan = Timestamp.earliest
  /// The right to sync of the present run.
  private var lock: (any SyncLock)?

  init(
    _ inner: any SyncStore, bug: SeededBug?, committed: @escaping (StoreNotes) -> Void
  ) {
    self.inner = inner
    self.bug = bug
    self.committed = committed
  }

  /// The system takes the locks of a killed process away.
  func kill() {
    isKilled = true
    lock?.release()
  }

  func lockForSync() throws(StoreError) -> any SyncLock {
    let lock = try inner.lockForSync()
    self.lock = lock
    return lock
  }

  func beginRun(at time: Timestamp) { runBegan = time }

  private var mistake: Mistake? { bug.map { Mistake(bug: $0, runBegan: runBegan) } }

  func fail(_ failure: StoreFailure?) { self.failure = failure }

  func syncRead<Result>(
    _ body: (any SyncReader) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkDisk()
    guard let mistake else { return try inner.syncRead(body) }
    return try inner.syncRead { reader throws(StoreError) in
      try body(MistakenReader(reader: reader, mistake: mistake))
    }
  }

  func sync<Result>(
    _ durability: Durability, _ body: (any SyncTransaction) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try checkLife()
    let notes = StoreNotes()
    do {
      let result = try inner.sync(durability) { transaction throws(StoreError) in
        let watched = WatchedTransaction(transaction: transaction, notes: notes)
        let mistaken = self.mistake.map { MistakenTransaction(transaction: watched, mistake: $0) }
        let result = try body(mistaken ?? watched)
        // The store undoes all that the transaction wrote.
        try self.checkDisk()
        return result
      }
      committed(notes)
      return result
    } catch {
      // The power may go after the last byte of a commit, so that the device has what it wrote.
      if isKilled { committed(notes) }
      throw error
    }
  }

  private func checkDisk() throws(StoreError) {
    guard let failure else { return }
    if !failure.isForGood { self.failure = nil }
    throw StoreError(failure.code, "The disk of this device fails.")
  }

  func checkLife() throws(StoreError) {
    guard isKilled else { return }
    throw StoreError(.notAccessible, "The device was killed, so nothing is written.")
  }
}
