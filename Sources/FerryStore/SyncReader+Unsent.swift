// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
import FerryPlanning

extension SyncReader {
  /// The states to which the edits of a class lead that are not folded yet.
  ///
  /// It reads these edits, and nothing of the other entries.
  package func unfoldedStates(of className: String) throws(StoreError) -> UnfoldedStates {
    let edits = try UnfoldedEdits(of: className, in: self)
    let closed = try closedClasses(of: className)
    var unfolded = UnfoldedStates()
    try edits.forEachBatch(size: foldingBatchSize) { batch in
      let outcome = batch.outcome
      unfolded.replaced.formUnion(outcome.replaced)
      for entry in outcome.entries where entry.hasRow {
        unfolded.states[entry.localID] = entry.unsentState(closedClasses: closed)
      }
    }
    return unfolded
  }

  /// The states of all rows of a class that have an unsent change.
  package func unsentStates(of className: String) throws(StoreError) -> [LocalID: UnsentState] {
    try unsentStates(of: className, amongStored: try outbox(of: className))
  }

  package func unsentStates(
    of className: String, localIDs: [LocalID]
  ) throws(StoreError) -> [LocalID: UnsentState] {
    _ = try schema.registered(className)
    let wanted = Set(localIDs)
    let stored = try outboxEntries(of: className, localIDs: wanted.sorted())
    return try unsentStates(of: className, amongStored: stored).filter { wanted.contains($0.key) }
  }

  private func unsentStates(
    of className: String, amongStored stored: [OutboxEntry]
  ) throws(StoreError) -> [LocalID: UnsentState] {
    let unfolded = try unfoldedStates(of: className)
    let closed = try closedClasses(of: className)
    var states = unfolded.states
    for entry in stored where entry.hasRow && !unfolded.replaced.contains(entry.localID) {
      states[entry.localID] = entry.unsentState(closedClasses: closed)
    }
    return states
  }

  /// The class, if the server takes creates of it only from users who are logged in, and nobody is.
  private func closedClasses(of className: String) throws(StoreError) -> Set<String> {
    let text = try bookkeeping(ClassNote.key(of: className))
    return text.map(ClassNote.needsLogin) == true ? [className] : []
  }
}
