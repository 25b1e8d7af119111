// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// One result: what was asked, when, and which rows came.
struct KeptResult: Equatable, Sendable {
  var question: String
  var askedAt: Date
  var isComplete: Bool
  /// The newest position in the store's history at which its rows were found there.
  var token: Int64
  var rows: Set<RowName>
  /// The number of its last use, counted over all results.
  var lastUse = 0
}
