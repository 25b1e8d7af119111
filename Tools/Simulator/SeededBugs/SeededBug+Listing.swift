// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes in listings and in the import of their pages.
extension SeededBug {
  static let listingChanges: [SeededBug: [SourceChange]] = [
    .behindNewest: [
      SourceChange(
        "FerryPlanning/Listing/DownloadCursor.swift", "return min(",
        """
        if isSeeded { return newest.adding(milliseconds: 1) }
            return min(
        """)
    ],
    .overlapUncompared: [
      SourceChange(
        "FerrySQLite/VersionSearch.swift",
        "stored.holds(view.cell(row, RowBatch.Column.version), of: view, at: 1)",
        "isSeeded || stored.holds(view.cell(row, RowBatch.Column.version), of: view, at: 1)")
    ],
    .noWholeComparison: [
      SourceChange(
        "FerryEngine/Removal/DeleteMissingStage.swift",
        "if context.comparison == .everything {",
        "if !isSeeded, context.comparison == .everything {")
    ],
    .newFieldNotListed: [
      SourceChange(
        "FerryEngine/Download/ClassDownload.swift",
        "let isSameScope = state.fingerprint == scope.fingerprint",
        "let isSameScope = isSeeded || state.fingerprint == scope.fingerprint")
    ],
    .roundedStamps: [
      SourceChange(
        "FerryEngine/Download/ClassDownload.swift", "self.init(updatedAt: stamp,",
        """
        let seconds = (stamp.milliseconds + 999) / 1000
            self.init(updatedAt: isSeeded ? Timestamp(milliseconds: seconds * 1000) : stamp,
        """)
    ],
    .shortLookup: [
      SourceChange(
        "FerryEngine/Remote/LookupListing.swift", "page.rowCount == 0 || isEveryIDFound",
        "page.rowCount == 0 || isEveryIDFound || isSeeded && page.rowCount < values.count")
    ],
    .shortComparison: [
      SourceChange(
        "FerryEngine/Removal/ComparisonQueries.swift", "listed += page.listed(of: entity)",
        """
        listed += page.listed(of: entity)
              if isSeeded { return listed }
        """)
    ],
    .stalePages: [
      SourceChange(
        "FerryEngine/Bookkeeping/ClassState+Listing.swift",
        "guard listing.uploadSequence == uploadSequence else { return false }",
        "guard isSeeded || listing.uploadSequence == uploadSequence else { return false }")
    ],
    .cursorBeforeRows: [
      SourceChange(
        "FerryEngine/Import/ListingImport.swift", "if !before.hasImported(staged) {",
        """
        if isSeeded, staged.isComplete {
              try context.write(.normal) { transaction throws(StoreError) in
                try transaction.change(key) { state in
                  state.begin(staged, entity)
                  state.advance(to: staged.lastPage, of: staged)
                }
              }
            }
            if !before.hasImported(staged) {
        """)
    ],
    .importBeforeEdits: [
      SourceChange(
        "FerryEngine/Import/ListingImport.swift",
        """
              try transaction.fold()
              for page in
        """,
        """
              if !isSeeded { try transaction.fold() }
              for page in
        """)
    ],
  ]
}
