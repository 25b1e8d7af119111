// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
public import FerryStore

/// Whether a record is in step with the server, and if not, why; more kinds may be added.
public enum SyncStatus: Sendable, Equatable {
  /// Nothing of it is unsent.
  case synced
  /// It has changes that the next sync sends.
  case unsent(Change.Kind)
  /// It is being sent now.
  case sending
  /// An answer did not come: the next sync asks the server what became of it.
  case unknownOutcome
  /// It waits for another record that the server does not have yet; the text says for which.
  case blocked(String)
  /// It was refused, and waits for the app: edit it, or delete it. The text says why.
  case parked(String)
}

extension SyncCoordinator {
  /// Whether a record is in step with the server.
  ///
  /// ```swift
  /// let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
  /// try coordinator.syncStatus(of: game)  // .unsent(.insert)
  /// ```
  ///
  /// Reads the store only, edits of this moment included. May be called from any thread, also while
  /// a run is under way.
  ///
  /// - Parameter record: The record; one that was deleted has a status until the server knows.
  /// - Returns: Its status; `synced` too for a record that is not there at all.
  /// - Throws: `StoreError` when the store cannot be read.
  public func syncStatus(of record: RecordReference) throws -> SyncStatus {
    let key = RecordKey(className: record.className, localID: record.localID)
    return try syncStore.syncRead { try $0.pendingEntry(of: key) }?.syncStatus ?? .synced
  }

  /// Whether a class has been brought over whole at least once.
  ///
  /// Until then a record that is not here may be on the server all the same.
  ///
  /// - Parameter className: A registered class.
  /// - Returns: False before the first complete import.
  /// - Throws: `StoreError` when the store cannot be read.
  public func isInitialSyncDone(of className: String) throws -> Bool {
    try syncStore.syncRead { try $0.state(.classState(className)).isInitialSyncDone }
  }
}

extension OutboxEntry {
  /// What an app is told about the entry's record.
  var syncStatus: SyncStatus {
    switch state {
    case .confirming: .synced
    case .ready: .unsent(kind.change)
    case .sending: .sending
    case .inDoubt: .unknownOutcome
    case .blocked: .blocked(state.reason ?? "")
    case .parked(let refusal): .parked(refusal.message)
    }
  }
}

extension OutboxEntry.Kind {
  fileprivate var change: Change.Kind {
    switch self {
    case .create: .insert
    case .update: .update
    case .delete, .deleteAfterCreate: .delete
    }
  }
}
