// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryPlanning
import FerryStore

/// Writes down why entries do not move, so that whoever asks for their state is told.
enum Blocking {
  static func record(
    _ stuck: [RecordKey: OutboxEntry.State], stage: StageName, in context: StageContext
  ) throws {
    guard !stuck.isEmpty else { return }
    let changed = try context.store.sync(.full) { transaction in
      var changed: [OutboxEntry] = []
      for var entry in try transaction.entries(stuck.keys).values {
        guard let state = stuck[entry.key], entry.state != state else { continue }
        entry.state = state
        try transaction.put(entry)
        changed.append(entry)
      }
      return changed
    }
    for entry in changed.sorted(by: { $0.key < $1.key }) {
      let isParked: Bool = if case .parked = entry.state { true } else { false }
      context.ledger.act(
        SyncAction(
          isParked ? .park : .wait, in: stage, className: entry.className, localID: entry.localID,
          fields: entry.changed, reason: entry.state.reason))
    }
  }
}

extension OutboxEntry.State {
  /// Why an entry does not move, as a sentence; nil for one that does.
  package var reason: String? {
    switch self {
    case .ready, .sending, .confirming: nil
    case .unknown: "The outcome of an attempt is unknown; the next sync asks for it."
    case .parked(let refusal): refusal.message
    case .blocked(let parent):
      "Waits for \(parent.className) \(parent.localID), to which \(parent.field) points and which "
        + "the server does not have yet."
    }
  }
}
