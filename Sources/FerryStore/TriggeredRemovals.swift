// Ferry: offline-first sync for Parse Server. MIT licence.

package import FerryModel
package import FerryPlanning

/// The rows that triggers of other programs removed while the engine wrote, as they were.
package struct TriggeredRemovals: Sendable {
  /// The rows that are back, under their local ids.
  package var putBack: [Record] = []
  /// The rows that a trigger keeps out.
  package var gone: [Record] = []
  /// Their values, and unsent edits, of fields that only other programs declare.
  package var undeclared: [RecordKey: UndeclaredFields] = [:]

  package var isEmpty: Bool { putBack.isEmpty && gone.isEmpty }

  package init() {}
}
