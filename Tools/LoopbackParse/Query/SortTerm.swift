// Ferry: offline-first sync for Parse Server. MIT licence.

import Foundation

/// One key of a query's `order`.
struct SortTerm: Equatable {
  let name: String
  let descending: Bool
}
