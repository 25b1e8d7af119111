// Ferry: offline-first sync for Parse Server. MIT licence.

/// The entries of the outbox that a stage looks for.
///
/// A store tells them apart without reading the others, of which there may be many.
package enum OutboxSelection: Sendable, CaseIterable {
  case all
  case blocked, confirming
  /// Entries that are not as folding makes them: of another state than ready, or with attempts or failures.
  case touched

  package func contains(_ entry: OutboxEntry) -> Bool {
    switch (self, entry.state) {
    case (.all, _), (.blocked, .blocked), (.confirming, .confirming): true
    case (.blocked, _), (.confirming, _): false
    case (.touched, .ready): !entry.attempts.isEmpty || entry.failures.count > 0
    case (.touched, _): true
    }
  }
}
