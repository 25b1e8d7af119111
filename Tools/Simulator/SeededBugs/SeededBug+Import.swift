// Ferry: offline-first sync for Parse Server. MIT licence.

// Mistakes in the planning of an import and in merges.
extension SeededBug {
  private static let planner = "FerryPlanning/Import/ImportPlanner.swift"
  private static let entries = "FerryPlanning/Import/ImportPlanner+Entries.swift"
  private static let merge = "FerryPlanning/Import/ThreeWayMerge.swift"

  static let importChanges: [SeededBug: [SourceChange]] = [
    .noMatching: [
      SourceChange(
        planner, "if let other = best[entry.localID], !isBetter(",
        """
        if isSeeded { continue }
              if let other = best[entry.localID], !isBetter(
        """)
    ],
    .duplicateImported: [
      SourceChange(
        planner, "return MintedID.matches(key) || situation.named[known] != nil",
        "return !isSeeded && (MintedID.matches(key) || situation.named[known] != nil)")
    ],
    .ownDuplicateKept: [
      SourceChange(
        planner, "guard situation.entries[record.objectID] == nil,\n        let younger",
        "guard !isSeeded, situation.entries[record.objectID] == nil,\n        let younger")
    ],
    .noSuccession: [
      SourceChange(
        planner, "let row = record.clientKey.flatMap({ situation.predecessors",
        "!isSeeded, let row = record.clientKey.flatMap({ situation.predecessors")
    ],
    .pendingOverwritten: [
      SourceChange(
        planner, "var entry = situation.entries[record.objectID]\n",
        """
        var entry = situation.entries[record.objectID]
              if isSeeded, entry?.kind == .update { entry = nil }

        """)
    ],
    .deleteRevived: [
      SourceChange(
        planner, "planEntry(entry, record, situation, &plan)",
        """
        if isSeeded, entry.kind == .delete {
                  plan.rows.append(row(record, localID: nil))
                } else {
                  planEntry(entry, record, situation, &plan)
                }
        """)
    ],
    .filterIgnored: [
      SourceChange(
        planner, "guard evicts, entity.recordFilter != nil else",
        "guard !isSeeded, evicts, entity.recordFilter != nil else")
    ],
    .softDeleteIgnored: [
      SourceChange(
        planner, "{ mark(on: record) != nil }", "{ !isSeeded && mark(on: record) != nil }")
    ],
    .deleteTakenBack: [
      SourceChange(
        entries, "switch policy {",
        "switch isSeeded ? DeletionPolicy.editWins : policy {")
    ],
    .unseenEditDeleted: [
      SourceChange(
        entries, "!entry.isRemoteUnchanged(field.name, value)",
        "!isSeeded && !entry.isRemoteUnchanged(field.name, value)")
    ],
    .markedWithoutTrace: [
      SourceChange(planner, "    if let row {\n", "    if !isSeeded, let row {\n")
    ],
    .markStays: [
      SourceChange(
        entries, "entry.takeBack(mark: flag)", "if !isSeeded { entry.takeBack(mark: flag) }")
    ],
    .newFieldCleared: [
      SourceChange(
        merge, "} else if isUnknown(field, entry, remote) ||",
        "} else if !isSeeded && isUnknown(field, entry, remote) ||")
    ],
    .notQuarantined: [
      SourceChange(
        "FerryPlanning/Import/ImportPlanner+Quarantine.swift", "plan.setAside.append(record)",
        "if isSeeded { return }\n    plan.setAside.append(record)")
    ],
    .curedStays: [
      SourceChange(
        "FerryEngine/Import/PageImporter.swift", "if !plan.cured.isEmpty {",
        "if !isSeeded, !plan.cured.isEmpty {")
    ],
    .unreadableOverwritten: [
      SourceChange(
        "FerryPlanning/Upload/UnreadableRemote.swift",
        "return !entry.isRemoteUnchanged(name, remote) &&",
        "return !isSeeded && !entry.isRemoteUnchanged(name, remote) &&")
    ],
    .mergeTakesServer: [
      SourceChange(
        merge, "if isLocal(field, local, remote[index], entry, in: &outcome) {",
        "if isLocal(field, local, remote[index], entry, in: &outcome), !isSeeded {")
    ],
    .openFieldSettled: [
      SourceChange(
        merge, "if !entry.isOpen(field.name) {", "if isSeeded || !entry.isOpen(field.name) {")
    ],
    .localWinnerNotSent: [
      SourceChange(
        merge, "if value == conflict.remote {", "if isSeeded || value == conflict.remote {")
    ],
    .rewrittenIsEdit: [
      SourceChange(
        "FerryPlanning/Outbox/OutboxEntry.swift", "{ changed.subtracting(rewritten) }",
        "{ isSeeded ? changed : changed.subtracting(rewritten) }")
    ],
    .rivalKept: [
      SourceChange(
        "FerryEngine/Bookkeeping/SyncTransaction+Naming.swift",
        "if let rival = try rival(for: objectID, of: key) {",
        "if !isSeeded, let rival = try rival(for: objectID, of: key) {"),
      SourceChange(
        "FerryEngine/Upload/UploadLedger.swift",
        "guard try transaction.rival(for: creation.objectID, of: entry.key) == nil else {",
        "guard try (isSeeded ? nil : transaction.rival(for: creation.objectID, of: entry.key)) == nil else {"
      ),
      SourceChange(
        "FerryPlanning/Upload/LookupConclusion.swift", "if entry.kind == .create, hasRival {",
        "if entry.kind == .create, hasRival, !isSeeded {"),
    ],
  ]
}
