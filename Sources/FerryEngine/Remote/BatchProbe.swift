// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryPlanning
import FerryStore

/// Knows whether the server's batches work, from reads alone.
///
/// On a server whose batches are broken every one is an internal error, and a write that met it would
/// have an unknown outcome. So it is a question that finds out, once, and again after a day.
struct BatchProbe {
  let context: StageContext

  /// - Returns: False also where a batch was refused for a reason that says nothing about batches.
  func works() throws(SyncError) -> Bool {
    let capabilities = try context.read { try $0.state(.capabilities) }
    if capabilities.areBatchesBroken(at: context.environment.now()) { return false }
    if capabilities.isBatchProven { return true }
    guard let entity = context.schema.entities.first else { return true }
    let query = ParseQuery(keys: [], limit: 0)
    let request = try context.request(reading: [(entity.name, query)])
    do {
      _ = try context.response(to: request)
    } catch {
      guard case .refused(let refusal) = try error.failure(), refusal.status == 500 else {
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
      return refusal.status < 500
    }
  }

  /// Whether writes go out in batches: several of them, on a server whose batches work.
  func isWorthwhile(for writes: [UploadPlanner.Write]) throws(SyncError) -> Bool {
    guard writes.count > 1 else { return false }
    return try works()
  }

  /// Remembers that a batch was answered as it should be.
  func noteProven() throws(SyncError) {
    let isKnown = try context.read { try $0.state(.capabilities).isBatchProven }
    if !isKnown { try note { $0.isBatchProven = true } }
  }

  /// Remembers that the server refused a batch of more than so many requests.
  func noteLimit(_ limit: Int) throws(SyncError) {
    try note { $0.batchLimit = limit }
  }

  /// Remembers that batches do not work, and says so.
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
    try context.write(.normal) { try $0.change(.capabilities, change) }
  }
}

extension ServerCapabilities {
  /// Whether batches were found not to work, less than a day ago.
  func areBatchesBroken(at now: Timestamp) -> Bool { batchBrokenUntil.map { now < $0 } ?? false }
}
