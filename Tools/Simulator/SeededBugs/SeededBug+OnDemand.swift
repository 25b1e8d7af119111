// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes with classes that no sync lists.
extension SeededBug {
  static let onDemandChanges: [SeededBug: [SourceChange]] = [
    .onDemandListed: [
      SourceChange(
        "FerryEngine/Download/DownloadStage.swift",
        "let listed = classes.filter(\\.entity.isListed)",
        "let listed = classes.filter { isSeeded || $0.entity.isListed }")
    ],
    .fetchOnePage: [
      SourceChange(
        "FerryEngine/OnDemand/RecordQuery.swift",
        "if let count = page.count, count <= page.rowCount {",
        "if isSeeded || page.count.map({ $0 <= page.rowCount }) == true {")
    ],
    .evictsUnsent: [
      SourceChange(
        "FerryEngine/OnDemand/EvictStage.swift", "|| unsent.contains(row.localID) ||",
        "|| !isSeeded && unsent.contains(row.localID) ||")
    ],
    .editedNotAsked: [
      SourceChange(
        "FerryEngine/Removal/OnDemandRows.swift", "let asked = edited.updates.union",
        "let asked = isSeeded ? [] : edited.updates.union")
    ],
  ]
}
