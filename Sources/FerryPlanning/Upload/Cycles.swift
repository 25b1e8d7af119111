// Ferry: offline-first sync for Parse Server. MIT licence.

import FerryModel

/// Finds where to break a circle of records that point at one another.
package enum Cycles {
  /// The oldest record on a circle; nil if there is none.
  ///
  /// Breaking the circle there frees the records after it. So records that merely point into a
  /// circle are sent completely.
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
