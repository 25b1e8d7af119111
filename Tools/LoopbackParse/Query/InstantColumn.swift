// Ferry: offline-first sync for Parse Server. MIT licence.

/// The two moments that every row has.
enum InstantColumn {
  case createdAt, updatedAt

  func instant(of row: Row) -> Instant {
    switch self {
    case .createdAt: row.createdAt
    case .updatedAt: row.updatedAt
    }
  }
}
