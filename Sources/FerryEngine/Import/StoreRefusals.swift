// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryStore

/// The rules of other programs that an import has met, kept beyond the transactions that these rules end.
final class StoreRefusals {
  /// The records whose rules end a whole transaction, by object id: the next attempt sets them aside at once.
  private(set) var endings: [String: StoreError] = [:]
  /// Whether records go one by one, because a rule that ended a transaction does not say which of several it met.
  private(set) var goesOneByOne = false

  /// Notes a rule that ended the transaction.
  ///
  /// - Parameters:
  ///   - error: The refusal.
  ///   - objectID: The record; nil if it was one of several.
  func note(_ error: StoreError, of objectID: String?) {
    goesOneByOne = true
    if let objectID { endings[objectID] = error }
  }

  /// How much is known; an attempt that adds nothing must not be repeated.
  var count: Int { endings.count + (goesOneByOne ? 1 : 0) }
}
