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
    if capabilities.areBatchesBroken(at: context.environment.now()) { return false }
    if capabilities.isBatchProven { return true }
    guard let entity = context.schema.entities.first else { return true }
    let query = ParseQuery(keys: [], limit: 0)
    do {
      _ = try context.answer(
        to: ParseRequests(context.server).batch(reading: [(entity.name, query)]))
      try noteProven()
      return true
    } catch let error as ParseError where error.status == 500 {
      _ = try context.answer(to: ParseRequests(context.server).find(entity.name, query))
      try noteBroken()
      return false
    }
  }

  /// Remembers that a batch was answered as it should be.
  func noteProven() throws {
    let isKnown = try context.store.syncRead { try $0.state(.capabilities).isBatchProven }
    if !isKnown { try note { $0.isBatchProven = true } }
  }

  /// Remembers that the server refused a batch of more than so many requests.
  func noteLimit(_ limit: Int) throws {
    try note { $0.batchLimit = limit }
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
        "The server does not answer batches as it should, though single requests work. "
          + "Records are sent and asked for singly, which is slower; batches are tried again in a day."
      ))
  }

  private func note(_ change: (inout ServerCapabilities) -> Void) throws {
    try context.store.sync(.normal) { try $0.change(.capabilities, change) }
  }
}

extension ServerCapabilities {
  /// Whether batches were found not to work, less than a day ago.
  func areBatchesBroken(at now: Timestamp) -> Bool { batchBrokenUntil.map { now < $0 } ?? false }
}
