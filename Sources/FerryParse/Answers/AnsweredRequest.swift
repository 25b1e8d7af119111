// Ferry: offline-first sync for Parse Server. MIT licence.

/// The request of an answer, as far as the meaning of a refusal depends on it.
package enum AnsweredRequest: Sendable {
  case read, write
  /// A request that carries several reads, or several writes.
  case batchOfReads, batchOfWrites
  /// One of the requests that a batch carries.
  case readInBatch, writeInBatch

  /// Whether the server may have changed something.
  var isWrite: Bool {
    switch self {
    case .write, .batchOfWrites, .writeInBatch: true
    case .read, .batchOfReads, .readInBatch: false
    }
  }

  var isBatch: Bool {
    switch self {
    case .batchOfReads, .batchOfWrites: true
    case .read, .write, .readInBatch, .writeInBatch: false
    }
  }
}
