// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Finds where to open records that point at one another in a circle.
package enum Cycles {
  /// The oldest record that lies on a circle; nil when there is none.
  ///
  /// Opening just that one frees what follows it, so that no pointer is left out without need: records
  /// that merely hang on a circle are sent whole.
  package static func opener(of parents: [RecordKey: [UnsentPointerTargets.Parent]]) -> RecordKey? {
    parents.keys.sorted().first { reaches($0, from: $0, parents) }
  }

  private static func reaches(
    _ goal: RecordKey, from start: RecordKey, _ parents: [RecordKey: [UnsentPointerTargets.Parent]]
  ) -> Bool {
    var seen = Set<RecordKey>()
    var open = [start]
    while let next = open.popLast() {
      for parent in (parents[next] ?? []).map(\.key) {
        if parent == goal { return true }
        if seen.insert(parent).inserted { open.append(parent) }
      }
    }
    return false
  }
}
