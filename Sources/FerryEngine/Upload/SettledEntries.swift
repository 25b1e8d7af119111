// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// The entries of a batch after its answer, to be written at once.
struct SettledEntries {
  private var done: [String: [LocalID]] = [:]
  private var takenBack: [OutboxEntry] = []
  private var forgotten: [OutboxEntry] = []
  private var open: [OutboxEntry] = []

  mutating func add(_ conclusion: WriteConclusion) {
    let entry = conclusion.entry
    // An undo of a delete compares with what the app knew, also after another device has brought the record back.
    if conclusion.isForgotten || conclusion.isDone && entry.kind == .delete {
      forgotten.append(entry)
    }
    if conclusion.isDone {
      done[entry.className, default: []].append(entry.localID)
      if entry.isTakenBack { takenBack.append(entry) }
    } else {
      open.append(entry)
    }
  }

  func keep(in transaction: any SyncTransaction) throws(StoreError) {
    for entry in forgotten { try transaction.remember(entry) }
    // Rows may still point to them.
    for entry in takenBack { try transaction.noteWithdrawn(entry.objectID, of: entry.className) }
    for (className, localIDs) in done {
      try transaction.removeOutboxEntries(of: className, localIDs: localIDs)
    }
    if !open.isEmpty { try transaction.put(open) }
  }
}

extension SyncTransaction {
  /// Keeps what a conclusion makes of an entry.
  func keep(_ conclusion: WriteConclusion) throws(StoreError) {
    try keep(
      conclusion.entry, isDone: conclusion.isDone, isForgotten: conclusion.isForgotten)
  }
}
