// Ferry: offline-first sync for Parse Server. MIT licence.

/// The turn of a run: until it ends, no other run of the same coordinator begins.
struct SyncTurn: Sendable {
  let turns: SyncTurns
  let number: Int

  /// Lets the next run begin; ending a turn once more does nothing.
  func end() { turns.end(number) }
}
