// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel

/// Decides how often a stage goes through the outbox to create records, parents before children.
///
/// Each pass sends the creates that wait for no other. An acknowledgement frees children, so another
/// pass follows while a pass moves anything. A pass that moves nothing while records wait has met
/// a circle of pointers, and one record of it goes without them.
package struct CreateOrder {
  package enum Action: Equatable {
    /// Go through the outbox again.
    case pass
    /// Break a circle; a chain of pointers leads to it from this record.
    case breakCircle(from: RecordKey)
    case done
  }

  /// The last row of each class that had a create when the run began.
  private var last: [String: LocalID]
  /// Creates that were sent without success, or that cannot be sent in this run.
  private var held: Set<RecordKey> = []
  /// The classes of which the server takes no create in this run.
  package private(set) var closedClasses: Set<String> = []
  private var firstWaiting: RecordKey?
  private var hasMoved = false
  private var hasPostponed = false

  /// - Parameter last: The last row of each class to create. The next run sends the rows that the app
  ///   inserts from now on, so that this one ends.
  package init(upTo last: [String: LocalID]) { self.last = last }

  /// Whether a create may go in this pass.
  package func mayGo(_ key: RecordKey) -> Bool {
    guard let last = last[key.className] else { return false }
    return key.localID <= last && !held.contains(key)
  }

  /// Takes note of what a page sends and leaves.
  package mutating func take(_ wave: UploadPlanner.Wave) {
    if !wave.writes.isEmpty || !wave.stuck.isEmpty { hasMoved = true }
    held.formUnion(wave.stuck.keys)
    if firstWaiting == nil { firstWaiting = wave.waiting.keys.min() }
  }

  /// Takes note of creates that were sent and that the server did not acknowledge.
  package mutating func hold(_ keys: some Sequence<RecordKey>) { held.formUnion(keys) }

  /// Takes note of classes of which the server takes no create in this run.
  package mutating func hold(classes: Set<String>) {
    closedClasses.formUnion(classes)
    for className in classes { last[className] = nil }
  }

  /// Takes note of creates that were planned and go in the next pass.
  package mutating func postpone() { hasPostponed = true }

  /// Ends a pass through the outbox.
  package mutating func endPass() -> Action {
    defer {
      firstWaiting = nil
      hasMoved = false
      hasPostponed = false
    }
    if hasPostponed { return .pass }
    guard let firstWaiting else { return .done }
    return hasMoved ? .pass : .breakCircle(from: firstWaiting)
  }
}
