// Ferry: offline-first sync for Parse Server. MIT licence.

public import FerryModel
import FerryPlanning
public import FerryStore

/// Whether a record equals the server's, and if not, why; more kinds may be added.
public enum SyncStatus: Sendable, Equatable {
  /// The record has no unsent changes.
  case synced
  /// The record has changes that the next sync sends.
  case unsent(Change.Kind)
  /// The record is being sent.
  case sending
  /// An answer is missing; the next sync asks the server for the outcome.
  case unknownOutcome
  /// The record waits for another record that the server does not have yet; the text names it.
  case blocked(String)
  /// The server refused the record, which waits for the app to edit or delete it. The text says
  /// why.
  case parked(String)
}

extension SyncCoordinator {
  /// The sync status of a record.
  ///
  /// ```swift
  /// let game = try store.write { try $0.insert("Game", ["title": "Final"]) }
  /// try coordinator.syncStatus(of: game)  // .unsent(.insert)
  /// ```
  ///
  /// This reads only the store, including edits made just now. Any thread may call it, also during
  /// a run.
  ///
  /// - Parameter record: The record; a deleted one has a status until the server has confirmed the
  ///   delete.
  /// - Returns: Its status; also `synced` if there is no such record.
  /// - Throws: `StoreError` if the store cannot be read.
  public func syncStatus(of record: RecordReference) throws(StoreError) -> SyncStatus {
    let key = RecordKey(className: record.className, localID: record.localID)
    return try syncStore.syncRead { reader throws(StoreError) in try reader.pendingEntry(of: key) }?
      .syncStatus ?? .synced
  }
}

extension OutboxEntry {
  /// The status of the entry's record for an app.
  var syncStatus: SyncStatus {
    switch state {
    case _ where rule != nil: .blocked(reason ?? "")
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
