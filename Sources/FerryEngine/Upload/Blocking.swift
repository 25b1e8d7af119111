// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
package import FerryPlanning
import FerryStore

/// Records why entries do not move, so that outbox, status and report can say it.
struct Blocking {
  let context: StageContext
  let stage: StageName

  /// Gives entries their states, and reports those that did not have them before.
  func record(_ stuck: [RecordKey: OutboxEntry.State]) throws(SyncError) {
    guard !stuck.isEmpty else { return }
    report(
      try context.write(.full) { transaction throws(StoreError) in
        try record(stuck, in: transaction)
      })
  }

  /// Gives entries their states.
  ///
  /// - Returns: The entries that did not have them before, to be reported after the commit.
  func record(
    _ stuck: [RecordKey: OutboxEntry.State], in transaction: any SyncTransaction
  ) throws(StoreError) -> [OutboxEntry] {
    var changed: [OutboxEntry] = []
    for var entry in try transaction.entries(stuck.keys).values {
      guard let state = stuck[entry.key], entry.wait(in: state) else { continue }
      try transaction.put(entry)
      changed.append(entry)
    }
    return changed.sorted { $0.key < $1.key }
  }

  func report(_ entries: [OutboxEntry]) {
    context.ledger.act(
      entries.map {
        SyncAction(
          $0.state.action, in: stage, className: $0.className, localID: $0.localID,
          objectID: $0.permanentID, fields: $0.changed, reason: $0.state.reason)
      })
    for entry in entries {
      guard let code = entry.state.noticeCode, let reason = entry.state.reason else { continue }
      context.notice(
        SyncNotice(
          code, className: entry.className, localID: entry.localID, objectID: entry.permanentID,
          reason))
    }
    let awaited = entries.filter(\.state.needsRecord)
    for (className, entries) in Dictionary(grouping: awaited, by: \.className) {
      context.notice(
        SyncNotice(
          .waitsForPull, className: className,
          objectID: entries.count == 1 ? entries[0].objectID : nil,
          "\(entries.count.counted("change")) of \(className) could not be sent, because the server holds "
            + "other versions of the records than this store. Nothing was lost; the next sync fetches the "
            + "records and sends what remains to be sent."))
    }
  }
}

extension OutboxEntry {
  /// Why the change is not sent, as sentences; nil for one that is.
  var reason: String? {
    guard let rule else { return waitAfterBackup ?? state.reason }
    return
      "The outcome is known, but \(rule) keeps the row from taking it over. Drop the rule; each sync tries again."
  }
}

extension OutboxEntry.State {
  /// Whether the record has to be fetched before its change can be sent.
  var needsRecord: Bool {
    if case .blocked(let obstacle) = self { obstacle.needsRecord } else { false }
  }

  /// How a run reports an entry that does not move.
  fileprivate var action: SyncAction.Kind {
    switch self {
    case .parked: .park
    case .blocked(.confirmation): .hold
    case .ready, .sending, .inDoubt, .blocked, .confirming: .wait
    }
  }

  /// The notice that tells why an entry does not move; nil where none does.
  fileprivate var noticeCode: SyncNotice.Code? {
    switch self {
    case .parked: .parked
    case .blocked(.formerID): .rowRefused
    case .ready, .sending, .inDoubt, .blocked, .confirming: nil
    }
  }

  /// Why an entry is not sent, as a sentence; nil for an entry that is.
  package var reason: String? {
    switch self {
    case .ready, .sending, .confirming: nil
    case .inDoubt:
      "The outcome of an attempt is unknown. The next sync asks the server for it, or a later one if the server may "
        + "still carry it out."
    case .parked(let refusal): refusal.message
    case .blocked(let obstacle): obstacle.reason
    }
  }
}

extension Obstacle {
  /// The obstacle as a sentence.
  fileprivate var reason: String {
    switch self {
    case .record(let parent):
      "Waits for \(parent.className) #\(parent.localID), to which \(parent.field) points. The server does not have it "
        + "yet, or the outcome of its own change is not known yet."
    case .newerVersion:
      "The record changed on the server since it was read. The next sync fetches it first."
    case .notFound:
      "The server did not show the record. The next sync finds out whether it was deleted. If its removal waits for a "
        + "confirmation, the edit waits, too."
    case .quarantine(let reason):
      "Waits for a version of the record that can be imported. The server's present one cannot: "
        + reason
    case .confirmation(let set):
      "More records were deleted than pass without a confirmation. The deletes wait until the set "
        + "\(set) is confirmed."
    case .backOff(let end):
      "The server failed at the change again and again. The next attempt is due at \(end). An edit of "
        + "the record makes it due at once."
    case .newFile(let words, let end):
      words
        + (end.map {
          " The next attempt is due at \($0). An edit of the record makes it due at once."
        } ?? "")
    case .formerID(let field):
      "Its field \(field) names a record by the id that it had before the server gave it another one, "
        + "and a rule that another program added to the table keeps the row as it is. The change is kept "
        + "here and not sent. Drop the rule; each sync tries again."
    case .keptRow(let rule):
      "The record is gone on the server, and \(rule) keeps its row. Drop the rule, and the next sync decides "
        + "about row and change."
    }
  }
}
