// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel
import FerryParse
import FerryStore

/// Knows whether the server's batches work, from reads alone.
///
/// On a server whose batches are broken every one is an internal error, and a write that met it would
/// have an unknown outcome. So it is a question that finds out, once, and again after a day.
struct BatchProbe {
  let context: StageContext

  func works() throws -> Bool {
    let capabilities = try context.store.syncRead { try $0.state(.capabilities) }
    if let until = capabilities.batchBrokenUntil, context.environment.now() < until { return false }
    if capabilities.isBatchProven { return true }
    guard let entity = context.schema.entities.first else { return true }
    let query = ParseQuery(keys: [], limit: 0)
    do {
      _ = try context.answer(
        to: ParseRequests(context.server).batch(reading: [(entity.name, query)]))
      try note { $0.isBatchProven = true }
      return true
    } catch let error as ParseError where error.status == 500 {
      _ = try context.answer(to: ParseRequests(context.server).find(entity.name, query))
      try noteBroken()
      return false
    }
  }

  /// Remembers that batches do not work, and says so.
  func noteBroken() throws {
    let until = context.environment.now().adding(.seconds(24 * 60 * 60))
    try note {
      $0.isBatchProven = false
      $0.batchBrokenUntil = until
    }
    context.notice(
      SyncNotice(
        .batchUnavailable,
        "The server answers every batch with an internal error, though single requests work. "
          + "Records are sent and asked for singly, which is slower; batches are tried again in a day."
      ))
  }

  private func note(_ change: (inout ServerCapabilities) -> Void) throws {
    try context.store.sync(.normal) { try $0.change(.capabilities, change) }
  }
}
