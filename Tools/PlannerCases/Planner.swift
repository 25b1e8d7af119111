// Ferry: offline-first sync for Parse Server. MIT licence.

import Randomness

/// The planners, each with laws that hold for every case.
package enum Planner: String, CaseIterable, Sendable {
  case merge = "three-way merge"
  case fieldMerge = "merge of one field"
  case importing = "import of a page"
  case folding = "folding of the log"
  case conclusions = "outcomes of writes and lookups"
  case creates = "creates, parents before children"
  case changes = "updates and deletes"
  case ranges = "comparison by ranges"
  case removal = "removal of missing rows"
  case scan = "rolling scan"
  case listing = "listing by pages"
  case timetable = "timetable of syncs"

  /// How many of a hundred cases are of this planner; cases that take long are fewer.
  package var share: Int {
    switch self {
    case .merge: 20
    case .fieldMerge: 4
    case .importing: 12
    case .folding: 4
    case .conclusions: 18
    case .creates: 4
    case .changes: 10
    case .ranges: 1
    case .removal: 8
    case .scan: 12
    case .listing: 6
    case .timetable: 1
    }
  }

  /// The planner of a case.
  init(of chance: inout SeededGenerator) { self = chance.pick(weighted: Self.weighted) }

  private static let weighted = allCases.map { ($0.share, $0) }

  /// Generates a case and checks all laws of the planner.
  func check(_ chance: inout SeededGenerator) throws(BrokenLaw) {
    switch self {
    case .merge: try MergeCase.check(&chance)
    case .fieldMerge: try FieldMergeCase.check(&chance)
    case .importing: try ImportCase.check(&chance)
    case .folding: try FoldingCase.check(&chance)
    case .conclusions: try ConclusionCase.check(&chance)
    case .creates: try CreatesCase.check(&chance)
    case .changes: try ChangesCase.check(&chance)
    case .ranges: try RangesCase.check(&chance)
    case .removal: try RemovalCase.check(&chance)
    case .scan: try ScanCase.check(&chance)
    case .listing: try ListingCase.check(&chance)
    case .timetable: try TimetableCase.check(&chance)
    }
  }
}
