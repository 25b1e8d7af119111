// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Learns from reads alone whether the server's batches work.
///
/// On a server whose batches are broken, every batch is an internal error, and a write in one would
/// have an unknown outcome. So a read finds this out, once, and again after a day.
struct BatchProbe {
  let context: StageContext

  /// - Returns: False also where a batch was refused for a reason that says nothing about batches.
  func works() throws(SyncError) -> Bool {
    let capabilities = try context.state(.capabilities)
    if capabilities.areBatchesBroken(at: context.environment.now()) { return false }
    if capabilities.isBatchProven { return true }
    guard let entity = context.schema.entities.first(where: \.isOnServer) else { return true }
    let query = ParseQuery(keys: [], limit: 0)
    let request = try context.request(reading: [(entity.name, query)])
    do {
      _ = try context.response(to: request)
    } catch {
      guard case .refused(let refusal) = try error.failure(), refusal.meaning == .failed else {
        return false
      }
      if try isAnswered(query, of: entity) { try noteBroken() }
      return false
    }
    try noteProven()
    return true
  }

  /// Whether the same query is answered by itself, if only by another refusal.
  private func isAnswered(_ query: ParseQuery, of entity: Entity) throws(SyncError) -> Bool {
    do {
      _ = try ClassContext(entity, in: context).response(to: query)
      return true
    } catch {
      guard case .refused(let refusal) = try error.failure() else { return false }
      return refusal.meaning != .failed
    }
  }

  /// Whether writes go out in batches: several of them, on a server whose batches work.
  func isWorthwhile(for writes: [UploadPlanner.Write]) throws(SyncError) -> Bool {
    guard writes.count > 1 else { return false }
    return try works()
  }

  /// Records that a batch was answered correctly.
  func noteProven() throws(SyncError) {
    let isKnown = try context.state(.capabilities).isBatchProven
    if !isKnown { try note { $0.isBatchProven = true } }
  }

  /// Records that the server refused a batch of more requests than this.
  func noteLimit(_ limit: Int) throws(SyncError) {
    try note { $0.batchLimit = limit }
  }

  /// Records that batches do not work, and reports it.
  func noteBroken() throws(SyncError) {
    let until = context.environment.now().adding(.seconds(24 * 60 * 60))
    try note {
      $0.isBatchProven = false
      $0.batchBrokenUntil = until
    }
    context.notice(
      SyncNotice(
        .batchUnavailable,
        "The server does not answer batches as it should, though single requests work. "
          + "Records are sent and asked for singly, which is slower; batches are tried again in a day."
      ))
  }

  private func note(_ change: (inout ServerCapabilities) -> Void) throws(SyncError) {
    try context.write(.normal) { transaction throws(StoreError) in
      try transaction.change(.capabilities, change)
    }
  }
}

extension ServerCapabilities {
  /// Whether batches failed less than a day ago.
  func areBatchesBroken(at now: Timestamp) -> Bool { batchBrokenUntil.map { now < $0 } ?? false }
}
