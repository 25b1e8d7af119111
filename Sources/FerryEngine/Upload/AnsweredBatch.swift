// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryPlanning

/// The writes of a request that has ended, and what became of them.
struct AnsweredBatch {
  let writes: [SentWrite]
  let outcome: BatchOutcome

  /// Whether the server carried out each of the writes.
  var isDone: Bool { outcome.ending == nil && outcome.items.allSatisfy(\.isSuccess) }
}

extension WriteOutcome {
  var isSuccess: Bool { failure == nil }
  var failure: WriteFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}
